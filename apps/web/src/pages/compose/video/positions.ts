/** Step of the cover slider, in seconds. */
export const STEP = 0.1;

/** The last position that has a frame, in seconds. */
export function lastPosition(seconds: number): number {
  return Math.max(0, Math.floor(seconds / STEP - 1) / (1 / STEP));
}
