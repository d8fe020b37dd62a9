/** Parses the input of a date and time field. Pure. */
import { type TimeProblem, timeProblem } from '../time/schedule-limits.ts';
import { momentsLike, utcOfDay, type Zone } from '../time/zone-time.ts';

export interface TypedTime {
  /** ms since the epoch, also of a time that cannot be scheduled; null if incomplete. */
  at: number | null;
  problem: TimeProblem | null;
  /** Whether the clock skips the time, or shows it twice. */
  note: 'skipped' | 'repeated' | null;
  /** The resulting wall time; "" if incomplete. */
  wall: string;
  /** The two moments of a repeated time, in order; otherwise empty. */
  choices: readonly number[];
}

/**
 * @param day "YYYY-MM-DD"
 * @param time "HH:mm", as in `time` fields
 * @param now ms since the epoch
 * @param isSecond selects the second occurrence of a repeated time
 */
export function readTyped(day: string | null, time: string, zone: Zone, now: number, isSecond = false): TypedTime {
  if (day === null || Number.isNaN(utcOfDay(day)) || !/^\d{2}:\d{2}/.test(time))
    return { at: null, problem: 'incomplete', note: null, wall: '', choices: [] };
  const typed = `${day} ${time.slice(0, 5)}:00`;
  const first = zone.momentOf(typed);
  const moments = momentsLike(zone, first);
  const choices = moments.length > 1 ? moments : [];
  const moment = (isSecond ? choices[1] : undefined) ?? first;
  const wall = zone.wallAt(moment);
  const problem = timeProblem(moment, now);
  const note = wall !== typed ? 'skipped' : choices.length > 0 ? 'repeated' : null;
  return { at: moment, problem, note, wall, choices };
}
