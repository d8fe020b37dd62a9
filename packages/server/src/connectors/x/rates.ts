/** Reads the rate limit counters in response headers ("Rate limits"). X sends no `Retry-After`. */
import type { HttpAnswer } from '../../outbound/http-client.ts';
import { theirNow } from '../kit/clock.ts';

const DAY_MS = 86_400_000;
/** Wait if no counter states a reset time, ms. */
const UNTOLD_WAIT_MS = 300_000;

const COUNTERS = [
  { name: 'x-rate-limit', scope: 'account', window: 'rate' },
  { name: 'x-user-limit-24hour', scope: 'account', window: 'daily' },
  { name: 'x-app-limit-24hour', scope: 'app', window: 'daily' },
] as const;

export interface Limit {
  waitMs: number;
  scope: 'account' | 'app';
  window: 'rate' | 'daily';
}

/**
 * Returns how long a limit lasts: until the latest reset of the exhausted counters, by X's clock if stated.
 * @param now ms since the epoch
 */
export function limitOf(answer: HttpAnswer, now: number): Limit {
  const { headers } = answer;
  const present = theirNow(answer, now);
  const found = COUNTERS.flatMap(({ name, scope, window }) => {
    const reset = Number(headers[`${name}-reset`] ?? Number.NaN);
    if (!(reset > 0)) return [];
    const waitMs = Math.min(Math.max(reset * 1000 - present, 1_000), DAY_MS);
    return [{ waitMs, scope, window, usedUp: headers[`${name}-remaining`] === '0' }];
  });
  const usedUp = found.filter((each) => each.usedUp);
  // If no counter is at zero, only the short window can be meant.
  const candidates = usedUp.length > 0 ? usedUp : found.filter(({ window }) => window === 'rate');
  const [longest] = candidates.sort((a, b) => b.waitMs - a.waitMs);
  if (!longest) return { waitMs: UNTOLD_WAIT_MS, scope: 'account', window: 'rate' };
  return { waitMs: longest.waitMs, scope: longest.scope, window: longest.window };
}
