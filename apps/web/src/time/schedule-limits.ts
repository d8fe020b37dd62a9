/** The limits of scheduled times. Pure. */

export type TimeProblem = 'inPast' | 'tooFar';

const MAX_AHEAD_MS = 366 * 86_400_000;

/** Why a post cannot be scheduled at a time; null if it can. @param now in ms since the epoch, like the time */
export function timeProblem(at: number, now: number): TimeProblem | null {
  if (at <= now) return 'inPast';
  return at - now > MAX_AHEAD_MS ? 'tooFar' : null;
}
