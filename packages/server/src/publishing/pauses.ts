/** How long to wait before trying or looking again: pure functions of counts. All in ms. */

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Pause before a step is tried again; grows to 30 minutes, with jitter of a quarter to either side. */
export function retryPause(attempts: number, random: () => number): number {
  const base =
    [2 * SECOND, 10 * SECOND, 30 * SECOND, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE][Math.max(0, attempts - 1)] ??
    30 * MINUTE;
  return Math.round(base * (0.75 + random() / 2));
}

/** Pause before a look that taught nothing is repeated. */
export function lookPause(looks: number): number {
  return [5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE][Math.max(0, looks - 1)] ?? HOUR;
}

/** How far a target that brings its worker down is put off; null: not yet, undefined: no more. */
export function crashPause(crashes: number): number | null | undefined {
  if (crashes < 5) return null;
  return [MINUTE, 5 * MINUTE, 30 * MINUTE][crashes - 5];
}

/** A wait that a platform asked for, obeyed to the second, with a little more so that not all come back at once. */
export function askedPause(waitMs: number, random: () => number): number {
  const whole = Math.ceil(Math.max(0, waitMs) / SECOND) * SECOND;
  return whole + Math.round(random() * Math.min(5 * SECOND, whole / 10));
}
