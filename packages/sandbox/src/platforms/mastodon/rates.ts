/** Rate limits per account. */
import { countInWindow } from '../../store/records.ts';
import { MINUTE_MS } from '../../time.ts';
import type { World } from './state.ts';

/** Calls per account and window in ms (docs.joinmastodon.org, "Rate limits"). */
const FAMILIES = {
  all: { limit: 300, windowMs: 5 * MINUTE_MS },
  media: { limit: 30, windowMs: 30 * MINUTE_MS },
  status: { limit: 300, windowMs: 180 * MINUTE_MS },
  delete: { limit: 30, windowMs: 30 * MINUTE_MS },
} as const;

export type Family = keyof typeof FAMILIES;

/** Returns the three headers. The time is ISO 8601 with microseconds. @param resetAt ms since the epoch */
export function rateHeaders(limit: number, remaining: number, resetAt: number): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': new Date(resetAt).toISOString().replace('Z', '000Z'),
  };
}

/** Counts a call in its windows and returns the headers of the tightest one. Does nothing if limits are off. */
export async function countUse(
  world: World,
  accountId: string,
  families: readonly Family[],
): Promise<{ exceeded: boolean; headers: Record<string, string> }> {
  if (!world.options.limits) return { exceeded: false, headers: {} };
  let tightest = { left: Number.POSITIVE_INFINITY, headers: {} };
  for (const family of families) {
    const { limit, windowMs } = FAMILIES[family];
    const { used, resetAt } = await countInWindow(world.options, ['rate', `${family} ${accountId}`], windowMs);
    const left = limit - used;
    if (left < tightest.left) tightest = { left, headers: rateHeaders(limit, Math.max(0, left), resetAt) };
  }
  return { exceeded: tightest.left < 0, headers: tightest.headers };
}
