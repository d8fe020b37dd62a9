/** Backoff delays for retries and verifications: pure functions of counts. All in ms. */
import { HOUR, MINUTE, SECOND } from '../lib/time.ts';
import type { FailureCause } from '../outbound/platform-error.ts';

const RETRY_PAUSES = [2 * SECOND, 10 * SECOND, 30 * SECOND, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE];
const LONGEST_PAUSE = 30 * MINUTE;
/** Without a response, an attempt costs little, and networks recover within minutes: about an hour of short pauses. */
const SHORT_PAUSES = { attempts: 16, longest: 5 * MINUTE };

/** Delay before a step is retried. Grows to 30 minutes, with ±25% jitter; to 5 minutes while there is no response. */
export function retryPause(attempts: number, random: () => number, cause?: FailureCause): number {
  const base = RETRY_PAUSES[Math.max(0, attempts - 1)] ?? LONGEST_PAUSE;
  const isShort = cause === 'connection' && attempts <= SHORT_PAUSES.attempts;
  const limited = isShort ? Math.min(base, SHORT_PAUSES.longest) : base;
  return Math.round(limited * (0.75 + random() / 2));
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
