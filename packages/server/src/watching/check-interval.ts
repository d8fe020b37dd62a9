/** How often accounts are checked. Pure. */
import { MINUTE, SECOND } from '../lib/time.ts';

const MIN_MS = MINUTE;
const MAX_MS = 15 * MINUTE;
/** Simulated accounts are checked often, so that a demonstration does not wait. */
const SANDBOX_MS = 5 * SECOND;
/** An account is checked this many times between two posts, on average. */
const CHECKS_PER_POST = 60;
/** The number of arrivals that are remembered. */
export const REMEMBERED_POSTS = 10;

/**
 * Returns the time until the next check in ms: 1 to 15 minutes, the shorter the more often the account posts.
 * @param recent when posts were published, newest first @param now both in ms since the epoch
 * @param minMs shortest interval that the platform's limits allow
 */
export function nextCheckMs({
  recent,
  now,
  sandbox,
  minMs = MIN_MS,
}: {
  recent: readonly number[];
  now: number;
  sandbox: boolean;
  minMs?: number;
}): number {
  if (sandbox) return SANDBOX_MS;
  const oldest = recent.at(-1);
  const maxMs = Math.max(MAX_MS, minMs);
  if (oldest === undefined) return maxMs;
  // The time since the newest post counts too, so that an account that stopped posting is checked less often.
  const averageMs = Math.max(0, now - oldest) / recent.length;
  return Math.round(Math.min(maxMs, Math.max(minMs, averageMs / CHECKS_PER_POST)));
}

/** Returns the time until a failed check is repeated, in ms. @param attempts failed checks so far, from 1 */
export function retryCheckMs(attempts: number, sandbox: boolean): number {
  const first = sandbox ? SANDBOX_MS : MINUTE;
  return Math.min(MAX_MS, first * 2 ** Math.min(10, Math.max(0, attempts - 1)));
}
