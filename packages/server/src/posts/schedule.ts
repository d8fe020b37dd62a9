import { apiError, ReelayError } from '../errors/reelay-error.ts';
import { DAY, MINUTE } from '../lib/time.ts';

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
  const fits = (time: number) => time >= now - PAST_MS && time <= now + AHEAD_MS;
  if (wished < now - PAST_MS)
    throw fits(wished * 1_000)
      ? apiError('scheduled_in_seconds', { milliseconds: `${wished * 1_000}` })
      : new ReelayError('scheduled_in_past');
  if (wished > now + AHEAD_MS)
    throw fits(wished / 1_000)
      ? apiError('scheduled_in_microseconds', { milliseconds: `${Math.round(wished / 1_000)}` })
      : new ReelayError('scheduled_too_far');
  return wished > now ? { scheduled: true, at: wished } : { scheduled: false };
}
