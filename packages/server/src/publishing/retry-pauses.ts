/** Backoff delays for retries and verifications: pure functions of counts. All in ms. */
import { HOUR, MINUTE, SECOND } from '../lib/time.ts';

/** Delay before a step is retried. Grows to 30 minutes, with ±25% jitter. */
export function retryPause(attempts: number, random: () => number): number {
  const base =
    [2 * SECOND, 10 * SECOND, 30 * SECOND, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE][Math.max(0, attempts - 1)] ??
    30 * MINUTE;
  return Math.round(base * (0.75 + random() / 2));
}

/** Delay before an inconclusive verification is repeated. */
export function verificationPause(verifications: number): number {
  return (
    [5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE][Math.max(0, verifications - 1)] ?? HOUR
  );
}

/** Delay for a target that crashes its worker. null: no delay yet; undefined: no more attempts. */
export function crashPause(crashes: number): number | null | undefined {
  if (crashes < 5) return null;
  return [MINUTE, 5 * MINUTE, 30 * MINUTE][crashes - 5];
}

/**
 * A delay requested by a platform, rounded up to whole seconds. Adds up to 10% (at most 5 s) of jitter, so that
 * requests do not resume all at once.
 */
export function requestedPause(waitMs: number, random: () => number): number {
  const whole = Math.ceil(Math.max(0, waitMs) / SECOND) * SECOND;
  return whole + Math.round(random() * Math.min(5 * SECOND, whole / 10));
}
