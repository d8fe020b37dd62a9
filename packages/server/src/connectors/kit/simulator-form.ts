/** Multipart forms that simulators receive: fields, and one file streamed into a blob. */
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import type { Blobs, SimulatorRequest } from './simulator.ts';

export interface ReceivedForm {
  /** Those before the file, in the order sent, and those behind it unless that was asked otherwise. */
  fields: Map<string, string>;
  /** null: none came. One byte more than allowed is kept, so that too much can be told from just enough. */
  file: { bytes: number; sha256: string; mime: string } | null;
}

export interface FormOptions {
  blobs: Blobs;
  /** Of the blob. */
  key: string;
  maxBytes: number;
  /** Name of the part that is the file; `file` when absent. */
  part?: string;
  /** That part counts as one without a file name too. */
  nameless?: boolean;
  /** Fields behind the file are not read. */
  fileLast?: boolean;
}

/**
 * Streams the file of a form into a blob; other files are skipped.
 * Null where the body is no well-formed form. @throws what storing failed with
 */
export async function readForm(request: SimulatorRequest, options: FormOptions): Promise<ReceivedForm | null> {
  const { blobs, key, maxBytes, part = 'file', nameless = false, fileLast = false } = options;
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data;.*boundary=/i.test(type)) return null;
  const parser = new Busboy({
    headers: { 'content-type': type },
    limits: { fileSize: maxBytes + 1 },
    ...(nameless ? { isPartAFile: (name, _type, filename) => name === part || filename !== undefined } : {}),
  });
  const form: ReceivedForm = { fields: new Map(), file: null };
  let open: BusboyFileStream | null = null;
  let stored: Promise<unknown> = Promise.resolve();
  parser.on('field', (name, value) => {
    if (!(fileLast && open)) form.fields.set(name, value);
  });
  parser.on('file', (name, stream, _filename, _encoding, mime) => {
    if (name !== part || open) return void stream.resume();
    open = stream;
    stored = blobs.put(key, stream).then(
      (file) => {
        form.file = { ...file, mime };
      },
      (error: unknown) => {
        stream.resume();
        return error ?? new Error('The blob was not stored.');
      },
    );
  });
  const whole = await new Promise<boolean>((resolve) => {
    parser.once('finish', () => resolve(true));
    // A body that breaks off or is malformed ends the file too; the rest of the request is read and forgotten.
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
