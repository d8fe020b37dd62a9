/** Times of day that the clock of a zone skips or shows twice. Pure. */
import { addDays, dayOf, isRepeated, offsetAt, timeOf, type Zone } from './zone-time.ts';

export interface OddTime {
  kind: 'skipped' | 'repeated';
  /** "HH:mm" */
  time: string;
  /** "YYYY-MM-DD" */
  day: string;
  /** "HH:mm": the first time after a gap; the time itself if it is repeated. */
  used: string;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** "The last Sunday of a month" recurs within 371 days. */
const DAYS = 372;

/**
 * For each time of day, the next day within about a year on which the clock skips it, and one on which it repeats it.
 * Like the service: a repeated time means its first occurrence, and a skipped one the first time after the gap.
 * @param times "HH:mm"; others are ignored
 * @param now ms since the epoch
 */
export function oddTimes(zone: Zone, times: readonly string[], now: number): OddTime[] {
  const days = changeDays(zone, now);
  return [...new Set(times)]
    .filter((time) => /^\d{2}:\d{2}$/.test(time))
    .flatMap((time) => {
      const found = days.flatMap((day) => oddOn(zone, day, time) ?? []);
      return (['skipped', 'repeated'] as const).flatMap((kind) => found.find((odd) => odd.kind === kind) ?? []);
    });
}

/** The days around each change of the offset, in order. */
function changeDays(zone: Zone, now: number): string[] {
  const days = new Set<string>();
  for (let index = 0, before = offsetAt(zone, now); index < DAYS; index++) {
    const next = now + (index + 1) * DAY_MS;
    const after = offsetAt(zone, next);
    const day = dayOf(zone.wallAt(next - DAY_MS));
    if (after !== before) for (const each of [day, addDays(day, 1)]) days.add(each);
    before = after;
  }
  return [...days];
}

function oddOn(zone: Zone, day: string, time: string): OddTime | null {
  const wanted = `${day} ${time}:00`;
  const moment = zone.momentOf(wanted);
  if (zone.wallAt(moment) !== wanted) return { kind: 'skipped', time, day, used: afterGap(zone, wanted, moment) };
  return isRepeated(zone, moment) ? { kind: 'repeated', time, day, used: time } : null;
}

/** @param later a time after the gap, by less than the gap's length */
function afterGap(zone: Zone, wanted: string, later: number): string {
  let first = later;
  while (zone.wallAt(first - MINUTE_MS) > wanted) first -= MINUTE_MS;
  return timeOf(zone.wallAt(first));
}
