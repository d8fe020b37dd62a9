/** Local days. Times are in ms since the epoch. Pure. */
import { DAY } from '../lib/time.ts';
import { createZone } from './zones.ts';

/** The start of the day that contains a local time (see {@link createZone}), as a local time. */
export const dayStart = (local: number) => Math.floor(local / DAY) * DAY;

/**
 * The local day that contains a time. Consecutive days have neither gaps nor overlaps, and may have 23 or 25 hours.
 * @returns `end` is exclusive
 */
export function dayOf(at: number, zoneName: string): { start: number; end: number } {
  const zone = createZone(zoneName);
  let day = dayStart(zone.localTime(at));
  // Where clocks are set back over midnight, the second part of the old day belongs to the new one.
  while (at >= zone.firstInstant(day + DAY)) day += DAY;
  return { start: zone.firstInstant(day), end: zone.firstInstant(day + DAY) };
}
