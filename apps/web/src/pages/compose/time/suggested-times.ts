/** Suggests times for a post. Pure. Times are in ms since the epoch. */
import type { FoundPost } from '@reelay/sdk';
import { addDays, dayOf, weekStart, type Zone } from '../../../time/zone-time.ts';

export interface SuggestedTime {
  at: number;
  /** "evening": this evening. */
  kind: 'today' | 'evening' | 'tomorrow' | 'later';
}

/** Minimum distance of a suggestion from now and from other posts of the same accounts, in ms. */
const MIN_GAP_MS = 30 * 60_000;
const QUARTER_MS = 15 * 60_000;
const HOUR_MS = 3_600_000;

/** The range in which posts must be known. @returns both ends, inclusive */
export function suggestionRange(zone: Zone, now: number): { from: number; to: number } {
  const today = dayOf(zone.wallAt(now));
  return { from: zone.momentOf(`${today} 00:00:00`), to: zone.momentOf(`${addDays(today, 9)} 00:00:00`) };
}

/** Times at which these accounts will post. */
export function takenTimes(
  posts: readonly Pick<FoundPost, 'date' | 'result'>[],
  accounts: readonly string[],
): number[] {
  return posts
    .filter(({ result }) => result.some(({ id, status }) => status === 'PENDING' && accounts.includes(id)))
    .map(({ date }) => Date.parse(date));
}

/**
 * At most four free times, in order: of each list of hours the first that is free.
 * @param taken times of other posts
 */
export function suggestTimes(zone: Zone, now: number, taken: readonly number[]): SuggestedTime[] {
  const today = dayOf(zone.wallAt(now));
  const tomorrow = addDays(today, 1);
  // The first Monday after tomorrow, so that it is not suggested twice.
  const monday = addDays(weekStart(tomorrow), 7);
  const slots: readonly (readonly [kind: SuggestedTime['kind'], day: string, hours: readonly number[]])[] = [
    ['today', today, [12, 13, 15]],
    ['evening', today, [18, 19, 20, 21]],
    ['tomorrow', tomorrow, [9, 10, 11]],
    ['tomorrow', tomorrow, [18, 19, 20]],
    ['later', monday, [12, 13, 15]],
  ];
  const isFree = (at: number) => at - now >= MIN_GAP_MS && taken.every((other) => Math.abs(other - at) >= MIN_GAP_MS);
  return slots
    .flatMap(([kind, day, hours]) => {
      const at = hours.map((hour) => momentAt(zone, day, hour)).find((each) => each !== null && isFree(each));
      return at === undefined || at === null ? [] : [{ at, kind }];
    })
    .slice(0, 4);
}

/** null if the clock skips the hour on that day. */
function momentAt(zone: Zone, day: string, hour: number): number | null {
  const wall = `${day} ${String(hour).padStart(2, '0')}:00:00`;
  const at = zone.momentOf(wall);
  return zone.wallAt(at) === wall ? at : null;
}

/** The initial value for a later post: the next quarter of an hour, at least one hour ahead. */
export function laterThan(now: number): number {
  return Math.ceil((now + HOUR_MS) / QUARTER_MS) * QUARTER_MS;
}
