/** Parses segment uploads. */
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import type { Blobs, SimulatorRequest } from '../../contract.ts';
import { parseBody } from '../../http/multipart-form.ts';

const MAX_INDEX = 999;

/**
 * Streams the part `media` of a multipart body into a blob; the only other field is `segment_index`. The blob is kept
 * only if the request is valid.
 * @returns index and length in bytes, `too large`, or an error message
 */
export async function receiveSegment(
  request: SimulatorRequest,
  blobs: Blobs,
  key: string,
  maxBytes: number,
): Promise<{ index: number; bytes: number } | string> {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data;.*boundary=/i.test(type)) return 'The body must be multipart/form-data.';
  const parser = new Busboy({ headers: { 'content-type': type }, limits: { fileSize: maxBytes + 1 } });
  const fields = new Map<string, string>();
  const files: Promise<{ bytes: number } | Error>[] = [];
  let stray = '';
  let open: BusboyFileStream | null = null;
  parser.on('field', (name, value) => {
    if (name === 'segment_index' && !fields.has(name)) fields.set(name, value);
    else stray = name;
  });
  parser.on('file', (name, stream) => {
    const known = name === 'media' && files.length === 0;
    if (!known) stray = name;
    if (!known) return void stream.resume();
    open = stream;
    files.push(
      blobs.put(key, stream).catch((error: unknown) => {
        stream.resume();
        return error instanceof Error ? error : new Error('The blob was not stored.');
      }),
    );
  });
  const whole = await parseBody(request, parser, () => open?.destroy(new Error('The body broke off.')));
  const stored = await files[0];
  if (!whole) return 'The body is no well-formed multipart body.';
  if (stored instanceof Error) throw stored;
  const index = fields.get('segment_index') ?? '';
  const refuse = async (sentence: string) => {
    if (stored) await blobs.remove(key);
    return sentence;
  };
  if (stray) return refuse(`$.${stray}: is not defined in the schema and additional properties are not allowed`);
  if (!stored || stored.bytes === 0) return refuse('$.media: is missing but it is required');
  if (!/^\d{1,3}$/.test(index) || Number(index) > MAX_INDEX) return refuse('$.segment_index: must be within 0 and 999');
  if (stored.bytes > maxBytes) return refuse('too large');
  return { index: Number(index), bytes: stored.bytes };
}
