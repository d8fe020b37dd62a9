/**
 * Platforms' clocks and days. A platform's clock may differ from ours by hours. Before one of its times is compared with
 * ours, our time is converted by the `Date` header of the same response.
 */
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/time.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';

type ResponseHead = Pick<HttpResponse, 'headers'>;

/** Returns the time of a response by the server's clock, in ms since the epoch; null if absent. */
export function respondedAt({ headers }: ResponseHead): number | null {
  const time = Date.parse(headers.date ?? '');
  return Number.isNaN(time) ? null : time;
}

/**
 * Returns the current time by the server's clock; ours if the response has no date. @param now ms since the epoch, ours
 */
export function platformNow(response: ResponseHead, now: number): number {
  return respondedAt(response) ?? now;
}

/**
 * Returns the ms to wait after a rate limit: from `Retry-After`, or until the time in another header (Unix seconds, or
 * ISO 8601); by default five minutes.
 * @param resetHeader its name in lower case
 */
export function waitUntilReset(response: ResponseHead, now: number, resetHeader: string): number {
  const after = Number(response.headers['retry-after'] ?? Number.NaN);
  if (Number.isFinite(after) && after >= 0) return Math.min(after * SECOND, DAY);
  const reset = response.headers[resetHeader] ?? '';
  const resetAt = /^\d+(\.\d+)?$/.test(reset) ? Number(reset) * SECOND : Date.parse(reset);
  if (Number.isNaN(resetAt)) return 5 * MINUTE;
  return Math.min(Math.max(resetAt - platformNow(response, now), SECOND), DAY);
}

/** Time until the next midnight in a time zone (`America/Los_Angeles`), ms. @param now ms since the epoch */
export function untilMidnight(timeZone: string, now: number): number {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium' });
  const sinceMidnight = (time: number) => {
    const [hours = 0, minutes = 0, seconds = 0] = clock.format(time).split(':').map(Number);
    return hours * HOUR + minutes * MINUTE + seconds * SECOND + (time % SECOND);
  };
  const midnight = now + DAY - sinceMidnight(now);
  // On the two days per year with 23 or 25 hours, the estimate is off by one hour.
  const shown = sinceMidnight(midnight);
  return midnight - now + (shown >= DAY / 2 ? DAY - shown : -shown);
}
