/**
 * Reads the platform's clock from `Date` headers. A platform's clock may differ from ours by hours. Before one of its
 * times is compared with ours, our time is converted by the `Date` of the same response.
 */
import type { HttpResponse } from '../../outbound/http-client.ts';

type Answer = Pick<HttpResponse, 'headers'>;

/** Returns the time of a response by the server's clock, in ms since the epoch; null if absent. */
export function saidAt({ headers }: Answer): number | null {
  const time = Date.parse(headers.date ?? '');
  return Number.isNaN(time) ? null : time;
}

/**
 * Returns the current time by the server's clock; ours if the response has no date. @param now ms since the epoch, ours
 */
export function platformNow(response: Answer, now: number): number {
  return saidAt(response) ?? now;
}
