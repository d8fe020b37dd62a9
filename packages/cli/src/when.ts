/** Parses and formats times as people write them. Pure. */
import { ERROR, TEXT } from './messages.ts';

const TIME = '(\\d{1,2}):(\\d{2})(?::(\\d{2}))?';
const DATED = new RegExp(`^(\\d{4})-(\\d{2})-(\\d{2})[T ]${TIME}(?:\\.\\d+)?$`, 'i');
const OFFSET = /(?:Z|[+-]\d{2}:?\d{2})$/i;
const ZONED = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/i;
const NAMED = new RegExp(`^(today|tomorrow)(?: at)? ${TIME}$`, 'i');
const SPAN = /(\d{1,9})\s{0,9}(minutes?|min|m|hours?|h|days?|d|weeks?|w)/gi;

interface Wall {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

/**
 * Parses ISO 8601 (local time if it has no offset), `today 18:30`, `tomorrow 9:00`, `in 2 hours`, `in 3 days`. Adding
 * days keeps the wall-clock time. An ambiguous time at the end of daylight saving time means the first occurrence.
 * @param zone IANA name of the local time zone
 * @throws Error with a one-line message for an invalid time, or one that the clocks skip
 */
export function parseWhen(text: string, now: Date, zone: string): Date {
  const given = text.trim().replace(/\s+/g, ' ');
  if (ZONED.test(given)) {
    // Validated separately, because Date would read February 30 as March 2.
    instant(wallOf(DATED.exec(given.replace(OFFSET, ''))?.slice(1) ?? []), 'UTC', given);
    return checked(new Date(given.replace(/([+-]\d{2})(\d{2})$/, '$1:$2')), given);
  }
  const dated = DATED.exec(given);
  if (dated) return instant(wallOf(dated.slice(1)), zone, given);
  const named = NAMED.exec(given);
  if (named) {
    const ahead = named[1]?.toLowerCase() === 'tomorrow' ? 1 : 0;
    const [hour, minute, second = '0'] = named.slice(2);
    const { year, month, day } = addDays(wallAt(now.getTime(), zone), ahead);
    return instant({ ...wallOf(['0', '0', '0', hour, minute, second]), year, month, day }, zone, given);
  }
  if (/^in\b/i.test(given)) return after(given, now, zone);
  throw new Error(ERROR.notTime(text));
}

function after(given: string, now: Date, zone: string): Date {
  const rest = given
    .slice(2)
    .replace(SPAN, '')
    .replace(/\b(and|,)\b/gi, '');
  const spans = [...given.matchAll(SPAN)];
  if (rest.replace(/[ ,]/g, '') !== '' || spans.length === 0) throw new Error(ERROR.notTime(given));
  let days = 0;
  let minutes = 0;
  for (const [, count, unit] of spans) {
    const letter = unit?.[0]?.toLowerCase();
    if (letter === 'd' || letter === 'w') days += Number(count) * (letter === 'w' ? 7 : 1);
    else minutes += Number(count) * (letter === 'h' ? 60 : 1);
  }
  if (days > 10_000 || minutes > 10_000_000) throw new Error(ERROR.timeTooFar(given));
  const day = days === 0 ? now.getTime() : instant(addDays(wallAt(now.getTime(), zone), days), zone, given).getTime();
  return new Date(day + minutes * 60_000);
}

function wallOf(parts: readonly (string | undefined)[]): Wall {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map((part) => Number(part ?? 0));
  return { year, month, day, hour, minute, second };
}

function addDays(wall: Wall, days: number): Wall {
  const date = new Date(Date.UTC(wall.year, wall.month - 1, wall.day + days));
  return { ...wall, year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** Returns the time at which clocks in the zone show this. */
function instant(wall: Wall, zone: string, given: string): Date {
  const shown = millisecondsOf(wall);
  checked(new Date(shown), given);
  const same = wallAt(shown, 'UTC');
  if (Object.entries(wall).some(([name, value]) => same[name as keyof Wall] !== value))
    throw new Error(ERROR.noSuchTime(given));
  const [first] = momentsOf(shown, zone);
  if (first === undefined) throw new Error(ERROR.timeSkipped(given, zone));
  return new Date(first);
}

/**
 * Returns the moments at which clocks in the zone show this time: none if they skip it, two if they repeat it.
 * @param shown the shown time, as if it were UTC
 */
function momentsOf(shown: number, zone: string): number[] {
  // Try the UTC offsets before and after any nearby transition.
  const fitting = [shown - 86_400_000, shown + 86_400_000]
    .map((near) => shown - (millisecondsOf(wallAt(near, zone)) - near))
    .filter((moment) => millisecondsOf(wallAt(moment, zone)) === shown);
  return [...new Set(fitting)].sort((one, other) => one - other);
}

/** Returns the wall-clock time in a zone, in whole seconds. */
function wallAt(moment: number, zone: string): Wall {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  return wallOf([parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second]);
}

function millisecondsOf({ year, month, day, hour, minute, second }: Wall): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function checked(date: Date, given: string): Date {
  if (Number.isNaN(date.getTime())) throw new Error(ERROR.noSuchTime(given));
  return date;
}

/**
 * Formats a time in a zone, with its offset if the clocks show it twice.
 * @param date ISO 8601
 * @param zone IANA name
 */
export function local(date: string, zone: string): string {
  const moment = new Date(date);
  const options = { timeZone: zone, dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' } as const;
  const text = new Intl.DateTimeFormat('en-GB', options).format(moment);
  if (momentsOf(millisecondsOf(wallAt(moment.getTime(), zone)), zone).length < 2) return `${text} (${zone})`;
  const offset = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' })
    .formatToParts(moment)
    .find(({ type }) => type === 'timeZoneName')?.value;
  return `${text} (${TEXT.shownTwice(zone, offset ?? '')})`;
}
