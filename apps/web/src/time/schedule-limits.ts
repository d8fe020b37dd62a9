/** When a post can be scheduled. Pure. */

export type TimeProblem = 'inPast' | 'tooFar';

const MAX_AHEAD_MS = 366 * 86_400_000;

/** Why a post cannot be scheduled at a moment; null if it can. @param now both in ms since the epoch */
export function timeProblem(at: number, now: number): TimeProblem | null {
  if (at <= now) return 'inPast';
  return at - now > MAX_AHEAD_MS ? 'tooFar' : null;
}
