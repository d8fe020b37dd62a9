/** Rate limits and their headers. */
import type { SimulatorOptions } from '../../contract.ts';
import { countInWindow } from '../../store/records.ts';
import { DAY, MINUTE } from '../../time.ts';

/** Calls per user in 15 minutes and per app in 24 hours ("Rate limits"). */
const LIMITS = {
  initialize: { user: 1_875, app: 180_000 },
  append: { user: 1_875, app: 180_000 },
  finalize: { user: 1_875, app: 180_000 },
  status: { user: 1_000, app: null },
  createPost: { user: 100, app: 10_000 },
  deletePost: { user: 50, app: null },
  timeline: { user: 900, app: null },
  post: { user: 900, app: null },
  me: { user: 75, app: null },
  upload: { user: 500, app: 50_000 },
  metadata: { user: 500, app: 50_000 },
} as const;
export type Endpoint = keyof typeof LIMITS;

/** `x-rate-limit-…` headers of the 15-minute window. @param resetAt ms since the epoch */
export function rateHeaders(limit: number, remaining: number, resetAt: number): Record<string, string> {
  return named('x-rate-limit', limit, remaining, resetAt);
}

function named(name: string, limit: number, remaining: number, resetAt: number): Record<string, string> {
  return {
    [`${name}-limit`]: String(limit),
    [`${name}-remaining`]: String(Math.max(0, remaining)),
    [`${name}-reset`]: String(Math.ceil(resetAt / 1000)),
  };
}

/** Counts a call in its windows. With limits disabled, nothing is counted, and the headers show unused windows. */
export async function countUse(
  options: SimulatorOptions,
  endpoint: Endpoint,
  accountId: string,
): Promise<{ exceeded: boolean; headers: Record<string, string> }> {
  const { user, app } = LIMITS[endpoint];
  const mine = await countIn(options, `${endpoint} ${accountId}`, 15 * MINUTE);
  const headers = rateHeaders(user, user - mine.used, mine.resetAt);
  if (app === null) return { exceeded: mine.used > user, headers };
  const all = await countIn(options, `${endpoint} app`, DAY);
  Object.assign(headers, named('x-app-limit-24hour', app, app - all.used, all.resetAt));
  return { exceeded: mine.used > user || all.used > app, headers };
}

async function countIn(options: SimulatorOptions, key: string, windowMs: number) {
  if (options.limits) return countInWindow(options, ['rate', key], windowMs);
  return { used: 1, resetAt: (Math.floor(options.now() / windowMs) + 1) * windowMs };
}
