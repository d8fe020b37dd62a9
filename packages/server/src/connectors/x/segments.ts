/**
 * How a file is cut ("Upload media: append"): segments in any order with an index of 0 to 999. 1 MiB each, since gateways
 * were seen refusing 5 MB; a refusal halves that as long as the file still fits into a thousand.
 */

const LARGEST = 1_048_576;
const SMALLEST = 131_072;
const MOST = 1_000;

export interface Segment {
  index: number;
  /** Position of the first and last byte, both inclusive. */
  first: number;
  last: number;
}

/** Bytes of a segment to begin with. @param bytes of the whole file */
export function segmentSize(bytes: number): number {
  return Math.max(LARGEST, Math.ceil(bytes / MOST));
}

/** Half of a size, or null where that would be too many or too small segments. */
export function halved(bytes: number, size: number): number | null {
  const half = Math.floor(size / 2);
  return half < SMALLEST || Math.ceil(bytes / half) > MOST ? null : half;
}

export function segmentCount(bytes: number, size: number): number {
  return Math.max(1, Math.ceil(bytes / size));
}

/** The next few segments from an index on. */
export function segmentsFrom(bytes: number, size: number, index: number, most: number): Segment[] {
  const end = Math.min(index + most, segmentCount(bytes, size));
  const found: Segment[] = [];
  for (let each = index; each < end; each++)
    found.push({ index: each, first: each * size, last: Math.min((each + 1) * size, bytes) - 1 });
  return found;
}
