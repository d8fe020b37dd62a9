/** What is typed into a date and time field. Pure. */
import { type TimeProblem, timeProblem } from '../time/schedule-limits.ts';
import { momentsLike, utcOfDay, type Zone } from '../time/zone-time.ts';

export interface TypedTime {
  /** ms since the epoch; null if incomplete or not possible. */
  at: number | null;
  problem: TimeProblem | 'incomplete' | null;
  /** The clock skips the time, or shows it twice. */
  note: 'skipped' | 'repeated' | null;
  /** The wall time that is meant, "" if incomplete. */
  wall: string;
  /** The moments that a repeated time can mean, in order; else empty. */
  choices: readonly number[];
}

/**
 * @param day "YYYY-MM-DD"
 * @param time "HH:mm", as in `time` fields
 * @param now ms since the epoch
 * @param isSecond whether the second of a repeated time is meant
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
  return { at: problem ? null : moment, problem, note, wall, choices };
}
