import type { IncomingHttpHeaders } from 'node:http';

export interface ByteRange {
  /** Inclusive. */
  first: number;
  /** Inclusive. */
  last: number;
}

/**
 * Parses a `Range` header (RFC 9110, section 14.2). Null means "send everything": no header, a malformed one, another
 * unit, or several ranges, which a server may ignore.
 * @param size total size in bytes
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if (from === '' && to === '') return null;
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length > 0 ? { first: size - length, last: size - 1 } : 'unsatisfiable';
  }
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < first) return null;
  return first < size ? { first, last } : 'unsatisfiable';
}

/** The response to a GET or HEAD for immutable content. */
export interface RangeResponse {
  status: 200 | 206 | 304 | 416;
  headers: Record<string, string | number>;
  /** The range to send; null for no body. */
  range: ByteRange | null;
}

/**
 * Evaluates the range and conditional headers of a request.
 * @param size total size in bytes
 * @param etag quoted
 * @param most of a partial response, in bytes. A shorter range than the one asked for is allowed (RFC 9110, section 15.3.7)
 */
export function answerRange(
  asked: IncomingHttpHeaders,
  size: number,
  etag: string,
  most = Number.POSITIVE_INFINITY,
): RangeResponse {
  const headers = { 'accept-ranges': 'bytes', etag };
  if (asked['if-none-match'] === etag) return { status: 304, headers, range: null };
  const current = asked['if-range'] === undefined || asked['if-range'] === etag;
  const range = current ? readRange(asked.range, size) : null;
  if (range === 'unsatisfiable')
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` }, range: null };
  const { first } = range ?? { first: 0 };
  const last = range ? Math.min(range.last, first + most - 1) : size - 1;
  const length = { 'content-length': last - first + 1 };
  if (!range) return { status: 200, headers: { ...headers, ...length }, range: size > 0 ? { first, last } : null };
  const part = { 'content-range': `bytes ${first}-${last}/${size}` };
  return { status: 206, headers: { ...headers, ...length, ...part }, range: { first, last } };
}
