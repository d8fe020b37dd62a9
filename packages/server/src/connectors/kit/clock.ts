/**
 * Times that a platform tells are by its own clock, which may be hours away from ours. Before such a time is compared with a
 * moment of ours, that moment is brought to the platform's clock, by the `Date` of the very answer that the time is from.
 */
import type { HttpAnswer } from './http.ts';

type Answer = Pick<HttpAnswer, 'headers'>;

/** When an answer was made, ms since the epoch by the clock of whoever made it; null where it does not say. */
export function saidAt({ headers }: Answer): number | null {
  const time = Date.parse(headers.date ?? '');
  return Number.isNaN(time) ? null : time;
}

/** The present by the clock of whoever answered; ours where the answer does not say. @param now ms since the epoch, ours */
export function theirNow(answer: Answer, now: number): number {
  return saidAt(answer) ?? now;
}
