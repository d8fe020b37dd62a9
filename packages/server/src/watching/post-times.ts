/** Moments of posts on platforms that report whole seconds. Pure. */
import { HOUR, SECOND } from '../lib/time.ts';

/**
 * The moment of a post, in ms since the epoch. A time in whole seconds means some moment in that second; the last is
 * taken, so that a post of the second in which a rule was added is not missed, and one after a pause never counts. A
 * platform whose clock is ahead cannot name a moment after we saw the post.
 */
export function publishedAt(ms: number | null, now: number): number {
  if (ms === null || ms < 0) return now;
  return Math.min(ms % SECOND === 0 ? ms + SECOND - 1 : ms, now);
}

/** Every check reads this much again: posts become visible late, and ids are out of order. */
const AGAIN_MS = 48 * HOUR;

/**
 * The time from which a check must list everything: a whole second, because a platform may report the start of the
 * second in which a post was published. In ms since the epoch.
 * @param beganAt start of the watch @param checkedAt start of the last complete check
 */
export function readSince(beganAt: number, checkedAt: number | null): number {
  const since = Math.max(beganAt, (checkedAt ?? 0) - AGAIN_MS);
  return since - (since % SECOND);
}
