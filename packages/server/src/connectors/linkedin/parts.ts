/** The parts of an upload: read from LinkedIn's instructions, checked to be the whole file, sent one by one. */
import type { Media } from '../contract.ts';
import type { HttpRequest } from '../kit/http.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import type { Part } from './checkpoint.ts';

const ANSWER_MS = 30_000;
/** An uplink of less than 1 Mbit/s is taken for broken, bytes a ms. */
const SLOWEST_UPLINK = 125;

/** The parts in order; null unless they are the file from its first byte to its last, each byte once. Pure. */
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

/** The request that sends a part. No token goes along: the address has its own. */
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

/** What LinkedIn calls a part that it took, as it stands in the header; "" where there is none. */
export function etagOf(headers: Record<string, string>): string {
  return textAt({ etag: at(headers, 'etag') }, 'etag');
}
