/** Parses segment uploads. */
import type { Blobs, SimulatorRequest } from '../../contract.ts';
import { receiveParts } from '../../http/multipart-form.ts';

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
  const names: string[] = [];
  const keyOf = (part: string) => {
    names.push(part);
    return part === 'media' && names.length === 1 ? key : null;
  };
  const parts = await receiveParts(request, { blobs, maxBytes, keyOf });
  if (!parts) return 'The body is no well-formed multipart body.';
  const [file] = parts.files;
  const index = parts.fields.find(({ name }) => name === 'segment_index')?.value ?? '';
  const stray =
    names.find((name, place) => name !== 'media' || place > 0) ??
    parts.fields.find((field, _place, all) => field !== all.find(({ name }) => name === 'segment_index'))?.name;
  const refuse = async (message: string) => {
    await blobs.remove(key);
    return message;
  };
  if (stray) return refuse(`$.${stray}: is not defined in the schema and additional properties are not allowed`);
  if (!file || file.bytes === 0) return refuse('$.media: is missing but it is required');
  if (!/^\d{1,3}$/.test(index) || Number(index) > MAX_INDEX) return refuse('$.segment_index: must be within 0 and 999');
  if (file.bytes > maxBytes) return refuse('too large');
  return { index: Number(index), bytes: file.bytes };
}
