import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import type { Blobs, SimulatorRequest } from '../../kit/simulator.ts';

export interface Upload {
  file: { mime: string; bytes: number; sha256: string; tooLarge: boolean } | null;
  fields: Map<string, string>;
}

/**
 * Streams the part `file` of a multipart body into a blob; other files are skipped.
 * Null where the body is no well-formed multipart body. @throws what storing failed with
 */
export async function receiveUpload(
  request: SimulatorRequest,
  blobs: Blobs,
  key: string,
  maxBytes: number,
): Promise<Upload | null> {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data;.*boundary=/i.test(type)) return null;
  const parser = new Busboy({ headers: { 'content-type': type }, limits: { fileSize: maxBytes + 1 } });
  const upload: Upload = { file: null, fields: new Map() };
  let stored: Promise<unknown> = Promise.resolve();
  let open: BusboyFileStream | null = null;
  parser.on('field', (name, value) => upload.fields.set(name, value));
  parser.on('file', (name, stream, _filename, _encoding, mime) => {
    if (name !== 'file' || open) return void stream.resume();
    open = stream;
    stored = blobs.put(key, stream).then(
      ({ bytes, sha256 }) => {
        upload.file = { mime, bytes, sha256, tooLarge: bytes > maxBytes };
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
  return upload;
}
