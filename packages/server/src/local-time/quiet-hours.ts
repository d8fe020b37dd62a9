/** Daily hours in which nothing is posted. Times are in ms since the epoch. Pure. */
import { DAY, HOUR, MINUTE } from '../lib/time.ts';
import { dayStart } from './days.ts';
import { createZone, type Zone } from './zones.ts';

/** `from` and `to` are local times such as 22:00; `to` may be on the next day. */
export interface QuietHours {
  from: string;
  to: string;
  /** Name of an IANA time zone. */
  zone: string;
}

/**
 * The end of the quiet hours at a time; null if it is not in them. A local time that exists twice counts the first
 * time. For a local time that is skipped, the moment after the gap counts.
 */
export function quietUntil(quietHours: QuietHours | null, at: number): number | null {
  if (!quietHours) return null;
  const zone = createZone(quietHours.zone);
  let end = at;
  // The next quiet hours may begin at once, if the time between them is skipped.
  for (let next = endOfQuiet(zone, quietHours, at); next !== null; next = endOfQuiet(zone, quietHours, next))
    end = next;
  return end === at ? null : end;
}

function endOfQuiet(zone: Zone, { from, to }: QuietHours, at: number): number | null {
  const today = dayStart(zone.localTime(at));
  const [begins, ends] = [sinceMidnight(from), sinceMidnight(to)];
  for (const day of [today - DAY, today, today + DAY]) {
    const end = zone.firstInstant(day + ends + (ends < begins ? DAY : 0));
    if (at < end && at >= zone.firstInstant(day + begins)) return end;
  }
  return null;
}

function sinceMidnight(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * HOUR + minutes * MINUTE;
}
