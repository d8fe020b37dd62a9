/**
 * How a file is cut ("Resumable uploads"): every part but the last is a multiple of 256 KiB. The last is the
 * irreversible one and is kept small: at most 256 KiB.
 */
export const GRANULE = 262_144;
/** Bytes of a part. */
const PART = 32 * GRANULE;

export interface Piece {
  /** Position of the first and last byte, both inclusive, as in Content-Range. */
  first: number;
  last: number;
  /** With it the video is posted. */
  isLast: boolean;
}

/** What follows on the bytes that are kept. @param kept fewer than `total`, which is at least 1 */
export function nextPiece(total: number, kept: number): Piece {
  const rest = total - kept;
  if (rest <= GRANULE) return { first: kept, last: total - 1, isLast: true };
  const length = Math.min(PART, Math.floor((rest - 1) / GRANULE) * GRANULE);
  return { first: kept, last: kept + length - 1, isLast: false };
}
