/** Parser for multipart forms that simulators receive: fields, and one file that is streamed into a blob. */
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import type { Blobs, SimulatorRequest } from '../contract.ts';

export interface ReceivedForm {
  /** Fields in the order sent, including those after the file unless `fileLast` is set. */
  fields: Map<string, string>;
  /** null if there is no file. One byte more than `maxBytes` is kept, so that an oversized file is detectable. */
  file: { bytes: number; sha256: string; mime: string } | null;
}

export interface FormOptions {
  blobs: Blobs;
  /** Key of the blob. */
  key: string;
  maxBytes: number;
  /** Name of the file part. Defaults to `file`. */
  part?: string;
  /** The part counts as a file even without a file name. */
  nameless?: boolean;
  /** Ignore fields after the file. */
  fileLast?: boolean;
}

/**
 * Streams the file of a form into a blob and skips other files. Returns null if the body is not a well-formed form.
 * @throws any error of storing the blob
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
  const whole = await parseBody(request, parser, () => open?.destroy(new Error('The body broke off.')));
  const failure = await stored;
  if (!whole) return null;
  if (failure) throw failure;
  return form;
}

/**
 * Passes a request's body to a multipart parser. A truncated or malformed body is read to its end and discarded.
 * @param abort destroys the files that the parser has opened; a truncated body also ends them
 * @returns whether the body is complete and well-formed
 */
export function parseBody(
  { body }: SimulatorRequest,
  parser: InstanceType<typeof Busboy>,
  abort: () => void,
): Promise<boolean> {
  return new Promise((resolve) => {
    const broken = () => {
      abort();
      body.unpipe(parser);
      body.resume();
      resolve(false);
    };
    parser.once('finish', () => resolve(true));
    parser.once('error', broken);
    body.once('error', broken);
    body.once('close', () => !body.readableEnded && broken());
    body.pipe(parser);
  });
}
