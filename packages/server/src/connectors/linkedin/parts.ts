/** Upload parts: parsed from LinkedIn's instructions, validated against the file size, and sent one by one. */
import type { HttpRequest } from '../../outbound/http-client.ts';
import type { Media } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import type { Part } from './checkpoint.ts';

const ANSWER_MS = 30_000;
/** Minimum upload rate, in bytes per ms (1 Mbit/s). It sets the deadline of a part. */
const SLOWEST_UPLINK = 125;

/** Parses the parts in order. Returns null unless they cover every byte of the file exactly once. Pure. */
export function partsFrom(instructions: unknown, bytes: number): Part[] | null {
  if (!Array.isArray(instructions)) return null;
  const parts = instructions.map(
    (each): Part => ({
      url: textAt(each, 'uploadUrl'),
      first: numberAt(each, 'firstByte') ?? -1,
      last: numberAt(each, 'lastByte') ?? -1,
    }),
  );
  parts.sort((one, other) => one.first - other.first);
  let next = 0;
  for (const { url, first, last } of parts) {
    if (!isWebAddress(url) || first !== next || last < first) return null;
    next = last + 1;
  }
  return next === bytes ? parts : null;
}

export const isWebAddress = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? '');

/** Builds the request that sends a part. It carries no token, because the URL grants access. */
export function partRequest(media: Media, { url, first, last }: Part): HttpRequest {
  const length = last - first + 1;
  const open = () => media.stream({ first, last });
  return {
    method: 'PUT',
    url,
    body: { kind: 'stream', type: 'application/octet-stream', length, open },
    deadlineMs: ANSWER_MS + Math.ceil(length / SLOWEST_UPLINK),
  };
}

/** Returns the ETag of an uploaded part exactly as in the header; "" if absent. */
export function etagOf(headers: Record<string, string>): string {
  return textAt({ etag: at(headers, 'etag') }, 'etag');
}
