/** The store that videos are sent to: an S3 form upload, which speaks XML and wants the file behind all its fields. */
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import type { Blobs, SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../kit/simulator.ts';
import { type Medium, newSecret } from './records.ts';

const MAX_BYTES = 2 * 1024 ** 3;

/** `POST /s3/`. One request carries the whole file; what a later one brings takes its place. */
export async function receiveForm(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const { books, blobs, now } = options;
  if (request.headers['content-length'] === undefined)
    return xml(411, 'MissingContentLength', 'You must provide the Content-Length HTTP header.');
  if (request.headers.authorization !== undefined)
    return xml(400, 'InvalidArgument', 'Only one auth mechanism allowed.');
  const blob = `s3/${newSecret(12)}`;
  const form = await readForm(request, blobs, blob);
  if (!form) return xml(400, 'MalformedPOSTRequest', 'The body of your POST request is not well-formed.');
  const refuse = async (status: number, code: string, message: string) => {
    await blobs.remove(blob);
    return xml(status, code, message);
  };
  if (!form.file) return refuse(400, 'InvalidArgument', 'POST requires exactly one file upload per request.');
  const id = form.fields.get('key')?.split(':').at(-1) ?? '';
  const medium = await books.get<Medium>('medium', id);
  if (!medium || !sameFields(form.fields, medium.parameters))
    return refuse(403, 'AccessDenied', 'Invalid according to Policy.');
  if (now() >= medium.expiresAt) return refuse(400, 'ExpiredToken', 'The provided token has expired.');
  const { file } = form;
  if (file.bytes > MAX_BYTES)
    return refuse(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size.');
  let former: string | undefined;
  await books.change<Medium>('medium', id, (current) => {
    former = current?.file?.blob;
    return current && { ...current, file: { blob, ...file }, uploadedAt: now() };
  });
  if (former) await blobs.remove(former);
  return { status: 204 };
}

interface Form {
  /** Those that stood before the file: S3 ignores the others. */
  fields: Map<string, string>;
  file: { bytes: number; sha256: string } | null;
}

/** null where the body is no well-formed form. @throws what storing failed with */
async function readForm(request: SimulatorRequest, blobs: Blobs, key: string): Promise<Form | null> {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data;.*boundary=/i.test(type)) return null;
  const parser = new Busboy({
    headers: { 'content-type': type },
    limits: { fileSize: MAX_BYTES + 1 },
    // The official sample sends its file without a file name.
    isPartAFile: (name, _contentType, filename) => name === 'file' || filename !== undefined,
  });
  const form: Form = { fields: new Map(), file: null };
  let open: BusboyFileStream | null = null;
  let stored: Promise<unknown> = Promise.resolve();
  parser.on('field', (name, value) => {
    if (!open) form.fields.set(name, value);
  });
  parser.on('file', (name, stream) => {
    if (name !== 'file' || open) return void stream.resume();
    open = stream;
    stored = blobs.put(key, stream).then(
      (file) => {
        form.file = file;
      },
      (error: unknown) => {
        stream.resume();
        return error ?? new Error('The blob was not stored.');
      },
    );
  });
  const whole = await new Promise<boolean>((resolve) => {
    parser.once('finish', () => resolve(true));
    // A body that breaks off ends the file too; the rest of the request is read and forgotten.
    const broken = () => {
      open?.destroy(new Error('The body broke off.'));
      request.body.unpipe(parser);
      request.body.resume();
      resolve(false);
    };
    parser.once('error', broken);
    request.body.once('error', broken);
    request.body.once('close', () => !request.body.readableEnded && broken());
    request.body.pipe(parser);
  });
  const failure = await stored;
  if (!whole) return null;
  if (failure) throw failure;
  return form;
}

function sameFields(given: Map<string, string>, wanted: Record<string, string>): boolean {
  const names = Object.keys(wanted);
  return given.size === names.length && names.every((name) => given.get(name) === wanted[name]);
}

function xml(status: number, code: string, message: string): SimulatorAnswer {
  return {
    status,
    headers: { 'content-type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message><RequestId>${newSecret(9)}</RequestId></Error>`,
  };
}
