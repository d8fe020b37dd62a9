/**
 * Splits a file into parts ("Resumable uploads"). Every part but the last is a multiple of 256 KiB. The last part is
 * the irreversible request, so it is kept small: at most 256 KiB.
 */
export const GRANULE = 262_144;
/** Part size in bytes. */
const PART = 32 * GRANULE;

export interface Piece {
  /** Offsets of the first and last byte, both inclusive, as in Content-Range. */
  first: number;
  last: number;
  /** Sending this part publishes the video. */
  isLast: boolean;
}

/** Returns the part that follows the stored bytes. @param kept fewer than `total`, which is at least 1 */
export function nextPiece(total: number, kept: number): Piece {
  const rest = total - kept;
  if (rest <= GRANULE) return { first: kept, last: total - 1, isLast: true };
  const length = Math.min(PART, Math.floor((rest - 1) / GRANULE) * GRANULE);
  return { first: kept, last: kept + length - 1, isLast: false };
}
