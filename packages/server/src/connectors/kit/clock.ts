/**
 * Reads the platform's clock from `Date` headers. A platform's clock may differ from ours by hours. Before one of its
 * times is compared with ours, our time is converted by the `Date` of the same response.
 */
import type { HttpResponse } from '../../outbound/http-client.ts';
import { DAY, MINUTE, SECOND } from '../../time.ts';

type Answer = Pick<HttpResponse, 'headers'>;

/** Returns the time of a response by the server's clock, in ms since the epoch; null if absent. */
export function respondedAt({ headers }: Answer): number | null {
  const time = Date.parse(headers.date ?? '');
  return Number.isNaN(time) ? null : time;
}

/**
 * Returns the current time by the server's clock; ours if the response has no date. @param now ms since the epoch, ours
 */
export function platformNow(response: Answer, now: number): number {
  return respondedAt(response) ?? now;
}

/**
 * Returns the ms to wait after a rate limit: from `Retry-After`, or until the time in another header (Unix seconds, or
 * ISO 8601); by default five minutes.
 * @param resetHeader its name in lower case
 */
export function waitUntilReset(response: Answer, now: number, resetHeader: string): number {
  const after = Number(response.headers['retry-after'] ?? Number.NaN);
  if (Number.isFinite(after) && after >= 0) return Math.min(after * SECOND, DAY);
  const reset = response.headers[resetHeader] ?? '';
  const resetAt = /^\d+(\.\d+)?$/.test(reset) ? Number(reset) * SECOND : Date.parse(reset);
  if (Number.isNaN(resetAt)) return 5 * MINUTE;
  return Math.min(Math.max(resetAt - platformNow(response, now), SECOND), DAY);
}
