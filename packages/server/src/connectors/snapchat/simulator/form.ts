import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import type { Blobs, SimulatorRequest } from '../../kit/simulator.ts';

export interface Form {
  fields: Map<string, string>;
  file: { bytes: number; sha256: string } | null;
}

/**
 * Reads a form whose part `file` is streamed into a blob; null where the body is no well-formed form.
 * @throws what storing failed with
 */
export async function readForm(
  request: SimulatorRequest,
  blobs: Blobs,
  key: string,
  maxBytes: number,
): Promise<Form | null> {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data;.*boundary=/i.test(type)) return null;
  const parser = new Busboy({ headers: { 'content-type': type }, limits: { fileSize: maxBytes + 1 } });
  const form: Form = { fields: new Map(), file: null };
  let open: BusboyFileStream | null = null;
  let stored: Promise<unknown> = Promise.resolve();
  parser.on('field', (name, value) => form.fields.set(name, value));
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
