import { ReelayError } from '../errors.ts';
import { DAY, MINUTE } from '../time.ts';

/** A time at most this far in the past counts as now, in ms. */
const PAST_MS = MINUTE;
/** Maximum scheduling distance, in ms: 366 days. */
const AHEAD_MS = 366 * DAY;

/** When to post: at a future time (ms since the epoch), or now. */
export type When = { scheduled: true; at: number } | { scheduled: false };

/**
 * Validates the requested time.
 * @param wished ms since the epoch; null: now
 * @param now by the database's clock
 * @throws ReelayError `scheduled_in_past`, `scheduled_too_far`
 */
export function whenToPost(wished: number | null, now: number): When {
  if (wished === null) return { scheduled: false };
  if (wished < now - PAST_MS) throw new ReelayError('scheduled_in_past');
  if (wished > now + AHEAD_MS) throw new ReelayError('scheduled_too_far');
  return wished > now ? { scheduled: true, at: wished } : { scheduled: false };
}
