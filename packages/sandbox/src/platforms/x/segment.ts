/** Parses segment uploads. */
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Blobs, SimulatorRequest } from '../../contract.ts';
import { receiveParts } from '../../http/multipart-form.ts';
import { mediaType } from '../../http/parameters.ts';
import { BodyTooLarge, readBody } from '../../http/request.ts';
import { parseBody } from './query.ts';

const MAX_INDEX = 999;

type Received = Promise<{ index: number; bytes: number } | string>;

/**
 * Stores a segment as a blob, from a multipart body or from JSON ("Append Media upload"). The blob is kept only if the
 * request is valid.
 * @returns index and length in bytes, `too large`, or an error message
 */
export function receiveSegment(request: SimulatorRequest, blobs: Blobs, key: string, maxBytes: number): Received {
  const receive = mediaType(request) === 'application/json' ? receiveJson : receiveMultipart;
  return receive(request, blobs, key, maxBytes);
}

const JSON_SEGMENT = z.strictObject({ media: z.base64().min(1), segment_index: z.int().min(0).max(MAX_INDEX) });

/** Reads the bytes in base64, as X's own SDK sends them. @throws Refused */
async function receiveJson({ body }: SimulatorRequest, blobs: Blobs, key: string, maxBytes: number): Received {
  const text = await readBody(body, Math.ceil((maxBytes * 4) / 3) + 1_000).catch((error: unknown) => {
    if (error instanceof BodyTooLarge) return null;
    throw error;
  });
  if (text === null) return 'too large';
  const segment = parseBody(String(text), JSON_SEGMENT);
  const media = Buffer.from(segment.media, 'base64');
  if (media.length > maxBytes) return 'too large';
  const { bytes } = await blobs.put(key, Readable.from([media]));
  return { index: segment.segment_index, bytes };
}

/** Streams the part `media` of a multipart body; the only other field is `segment_index`. */
async function receiveMultipart(request: SimulatorRequest, blobs: Blobs, key: string, maxBytes: number): Received {
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
