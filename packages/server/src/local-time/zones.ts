/** Local times in IANA time zones, by Intl. Times are in ms since the epoch. */
import { DAY, HOUR, MINUTE, SECOND } from '../lib/time.ts';

/** Whether the name is an IANA time zone. Offsets such as `+02:00`, which Intl accepts too, are not. */
export function isZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export interface Zone {
  /** The local time at an instant, as ms since the epoch of a clock that is always set to UTC. */
  localTime(at: number): number;
  /**
   * The first instant at which local clocks show this time or a later one. Of a time that exists twice, the first; for
   * a time that is skipped, the moment after the gap.
   * @param local like the result of `localTime`
   */
  firstInstant(local: number): number;
}

/** More than any offset from UTC, and than the change of one: some islands crossed the date line. */
const WINDOW_MS = DAY + 2 * HOUR;

/** @throws RangeError for an unknown zone */
export function createZone(name: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  const offsetAt = (at: number) => {
    const text = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    return parseOffset(text);
  };
  return {
    localTime: (at) => at + offsetAt(at),
    firstInstant(local) {
      const start = local - WINDOW_MS;
      const before = offsetAt(start);
      const after = offsetAt(local + WINDOW_MS);
      if (before === after) return local - before;
      const change = firstWhere(start, local + WINDOW_MS, (at) => offsetAt(at) !== before);
      return local - before < change ? local - before : Math.max(change, local - after);
    },
  };
}

/** Parses "GMT", "GMT+05:30" or "GMT-00:44:30" to ms. */
function parseOffset(text: string): number {
  const found = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text);
  if (!found) throw new Error(`Unknown form of a UTC offset: ${text}.`);
  const [, sign, hours = 0, minutes = 0, seconds = 0] = found;
  const offset = Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds) * SECOND;
  return sign === '-' ? -offset : offset;
}

/** Bisection. @returns the first whole number for which the condition holds; it must hold for `end`, not for `start` */
function firstWhere(start: number, end: number, holds: (value: number) => boolean): number {
  let [low, high] = [start, end];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}
