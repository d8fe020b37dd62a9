/** Times of reposts: delay, quiet hours, and local days. Times are in ms since the epoch. Pure. */
import { DAY, HOUR, MINUTE } from '../../time.ts';
import type { QuietHours, RuleOptions } from './rule-options.ts';
import { createZone, type Zone } from './zones.ts';

/**
 * The earliest time of a repost, by delay and jitter.
 * @param content `random`: a number in [0, 1) that is drawn once and stored, so that a retry gets the same time
 */
export function earliestAt(
  { delayMinutes, jitterMinutes }: Pick<RuleOptions, 'delayMinutes' | 'jitterMinutes'>,
  content: { seenAt: number; random: number },
): number {
  return content.seenAt + delayMinutes * MINUTE + Math.floor(content.random * jitterMinutes * MINUTE);
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

const dayStart = (local: number) => Math.floor(local / DAY) * DAY;

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
