/** Step of the sliders of a video, in seconds. */
export const STEP = 0.1;

/** Rounded to a step. */
export const toStep = (seconds: number): number => Math.round(seconds * (1 / STEP)) / (1 / STEP);

/** The last position that has a frame, in seconds. */
export function lastPosition(seconds: number): number {
  return Math.max(0, Math.floor(seconds / STEP - 1) / (1 / STEP));
}
