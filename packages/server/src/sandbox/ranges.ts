export interface ByteRange {
  /** Inclusive. */
  first: number;
  /** Inclusive. */
  last: number;
}

/**
 * Reads a `Range` header (RFC 9110, section 14.2). Null means "send all": no header, one that is not well formed,
 * another unit, or several ranges, which a server may ignore.
 * @param size of the whole, in bytes
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

/** The parts of each piece that make up a range of the whole; pieces without a part are left out. */
export function splitRange(sizes: readonly number[], range: ByteRange): { index: number; range: ByteRange }[] {
  let start = 0;
  return sizes.flatMap((size, index) => {
    const first = Math.max(0, range.first - start);
    const last = Math.min(size - 1, range.last - start);
    start += size;
    return first <= last ? [{ index, range: { first, last } }] : [];
  });
}
