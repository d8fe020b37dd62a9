/** Parser for multipart forms that simulators receive: fields, and files that are streamed into blobs. */
import { PassThrough, type Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import type { Blobs, SimulatorRequest } from '../contract.ts';

export interface ReceivedFile {
  /** Name of the part. */
  part: string;
  blob: string;
  /** File name; "" if absent. */
  name: string;
  mime: string;
  /** One byte more than `maxBytes` is kept, so that an oversized file is detectable. */
  bytes: number;
  sha256: string;
}

export interface ReceivedParts {
  /** In the order sent. */
  fields: { name: string; value: string; afterFile: boolean }[];
  files: ReceivedFile[];
}

export interface PartsOptions {
  blobs: Pick<Blobs, 'put' | 'remove'>;
  maxBytes: number;
  /** Returns the key of the blob for a file part; null skips the part. @param fields those sent before the file */
  keyOf(part: string, fields: ReceivedParts['fields']): string | null;
  /** Part that counts as a file even without a file name. */
  nameless?: string;
}

/**
 * Streams the files of a form into blobs. A truncated or malformed body is read to its end and discarded.
 * @returns null if the body is not a complete and well-formed form; nothing is stored then
 * @throws any error of storing a blob
 */
export async function receiveParts(
  { headers, body }: { headers: { 'content-type'?: string | undefined }; body: Readable },
  { blobs, maxBytes, keyOf, nameless }: PartsOptions,
): Promise<ReceivedParts | null> {
  const type = headers['content-type'] ?? '';
  if (!/^multipart\/form-data;.*boundary=/i.test(type)) return null;
  const parser = new Busboy({
    headers: { 'content-type': type },
    limits: { fileSize: maxBytes + 1 },
    ...(nameless && { isPartAFile: (name, _type, filename) => name === nameless || filename !== undefined }),
  });
  const fields: ReceivedParts['fields'] = [];
  const open = new Map<string, PassThrough>();
  const stored: Promise<ReceivedFile | Error>[] = [];
  parser.on('field', (name, value) => fields.push({ name, value, afterFile: open.size > 0 }));
  parser.on('file', (part, stream, name = '', _encoding, mime) => {
    const blob = keyOf(part, fields);
    // Storing destroys its stream when it fails, but the parser stops unless its own is read to the end.
    const copy = new PassThrough();
    // Without listeners, an error event ends the process. `put` reports it if it is reading.
    copy.on('error', () => {});
    stream.on('error', (error) => copy.destroy(error));
    if (blob === null) return void stream.resume();
    stream.pipe(copy);
    open.set(blob, copy);
    const failed = (error: unknown) => {
      stream.unpipe(copy).resume();
      return error instanceof Error ? error : new Error('The blob was not stored.');
    };
    stored.push(blobs.put(blob, copy).then((file) => ({ part, blob, name, mime, ...file }), failed));
  });
  const whole = await parseBody(body, parser, () => {
    for (const copy of open.values()) copy.destroy(new Error('The body broke off.'));
  });
  const results = await Promise.all(stored);
  const failure = results.find((result) => result instanceof Error);
  if (whole && !failure)
    return { fields, files: results.flatMap((result) => (result instanceof Error ? [] : [result])) };
  for (const blob of open.keys()) await blobs.remove(blob);
  if (whole) throw failure;
  return null;
}

/** @returns whether the body is complete and well-formed */
function parseBody(body: Readable, parser: InstanceType<typeof Busboy>, abort: () => void): Promise<boolean> {
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

export interface ReceivedForm {
  fields: Map<string, string>;
  /** null if there is no file. */
  file: ReceivedFile | null;
}

export interface FormOptions extends Omit<PartsOptions, 'keyOf' | 'nameless'> {
  /** Key of the blob. */
  key: string;
  /** Name of the file part. Defaults to `file`. */
  part?: string;
  /** The part counts as a file even without a file name. */
  nameless?: boolean;
  /** Ignore fields after the file. */
  fileLast?: boolean;
}

/** Receives a form with one file, and skips other files. Errors as in {@link receiveParts}. */
export async function readForm(request: SimulatorRequest, options: FormOptions): Promise<ReceivedForm | null> {
  const { blobs, maxBytes, key, part: wanted = 'file', nameless = false, fileLast = false } = options;
  let taken = false;
  const keyOf = (part: string) => {
    if (part !== wanted || taken) return null;
    taken = true;
    return key;
  };
  const parts = await receiveParts(request, { blobs, maxBytes, keyOf, ...(nameless && { nameless: wanted }) });
  if (!parts) return null;
  const fields = parts.fields.filter(({ afterFile }) => !(fileLast && afterFile));
  return { fields: new Map(fields.map(({ name, value }) => [name, value])), file: parts.files[0] ?? null };
}
