/**
 * Splits a file into segments ("Upload media: append"): any order, index 0 to 999.
 *
 * Segments have 1 MiB, because gateways were observed rejecting 5 MB. A rejection (413) halves the size while the file
 * still fits into 1,000 segments.
 */

const LARGEST = 1_048_576;
const SMALLEST = 131_072;
const MOST = 1_000;

export interface Segment {
  index: number;
  /** Offsets of the first and last byte, both inclusive. */
  first: number;
  last: number;
}

/** Initial segment size in bytes. @param bytes size of the whole file */
export function segmentSize(bytes: number): number {
  return Math.max(LARGEST, Math.ceil(bytes / MOST));
}

/** Half of a segment size, or null if segments would be too small or too many. */
export function halved(bytes: number, size: number): number | null {
  const half = Math.floor(size / 2);
  return half < SMALLEST || Math.ceil(bytes / half) > MOST ? null : half;
}

export function segmentCount(bytes: number, size: number): number {
  return Math.max(1, Math.ceil(bytes / size));
}

/** Returns up to `most` segments, starting at an index. */
export function segmentsFrom(bytes: number, size: number, index: number, most: number): Segment[] {
  const end = Math.min(index + most, segmentCount(bytes, size));
  const found: Segment[] = [];
  for (let each = index; each < end; each++)
    found.push({ index: each, first: each * size, last: Math.min((each + 1) * size, bytes) - 1 });
  return found;
}
