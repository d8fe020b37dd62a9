/** The limits of scheduled times. Pure. */

const TIME_PROBLEMS = ['incomplete', 'inPast', 'tooFar'] as const;

/** What is wrong with a typed time. The texts are in `dateTime.problem`. */
export type TimeProblem = (typeof TIME_PROBLEMS)[number];

export function isTimeProblem(problem: string): problem is TimeProblem {
  return TIME_PROBLEMS.some((each) => each === problem);
}

const MAX_AHEAD_MS = 366 * 86_400_000;

/** Why a post cannot be scheduled at a time; null if it can. @param now in ms since the epoch, like the time */
export function timeProblem(at: number, now: number): Exclude<TimeProblem, 'incomplete'> | null {
  if (at <= now) return 'inPast';
  return at - now > MAX_AHEAD_MS ? 'tooFar' : null;
}
