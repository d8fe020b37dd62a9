/** The hour at the top of a week when it opens. Pure. */
import { dayOf, type Zone } from '../../time/zone-time.ts';
import type { Entry } from './entries.ts';
import type { Days } from './range.ts';

/** Of a week without posts. */
const USUAL_HOUR = 8;

/**
 * Returns the wall time of an hour before the first post of a day that is still to come. Without one, before now, if today is
 * shown; else before the first post of a day.
 * @param now ms since the epoch
 */
export function firstHour(
  days: Days,
  entries: readonly Pick<Entry, 'at' | 'wall'>[],
  { zone, now }: { zone: Zone; now: number },
): string {
  const wall = zone.wallAt(now);
  const isThisWeek = dayOf(wall) >= days.first && dayOf(wall) <= days.last;
  const coming = entries.filter(({ at }) => at > now);
  const shown = coming.length > 0 ? coming : isThisWeek ? [{ wall }] : entries;
  const hour = shown.length > 0 ? Math.min(...shown.map((each) => Number(each.wall.slice(11, 13)))) : USUAL_HOUR;
  return `${String(Math.max(0, hour - 1)).padStart(2, '0')}:00:00`;
}
