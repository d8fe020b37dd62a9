/**
 * Days and wall-clock times of a time zone. Pure, apart from `browserZone`. A wall time is
 * "YYYY-MM-DD HH:mm:ss", a day "YYYY-MM-DD", and a moment is in ms since the epoch.
 */

export interface Zone {
  /** IANA name. */
  name: string;
  /** The wall time at a moment, cut to the second. */
  wallAt(ms: number): string;
  /**
   * Converts a wall time to a moment. A skipped time is moved to after the gap. A repeated time means its first
   * occurrence.
   */
  momentOf(wall: string): number;
}

const DAY_MS = 86_400_000;

/** @throws RangeError if there is no such zone */
export function createZone(name: string): Zone {
  const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const wallAt = (ms: number) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
    return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}:${part('second')}`;
  };
  const momentOf = (wall: string) => {
    const asUtc = utcOf(wall);
    const offsetAt = (ms: number) => utcOf(wallAt(ms)) - ms;
    const byEarlier = asUtc - offsetAt(asUtc - DAY_MS);
    if (wallAt(byEarlier) === wall) return byEarlier;
    const byLater = asUtc - offsetAt(asUtc + DAY_MS);
    return wallAt(byLater) === wall ? byLater : byEarlier;
  };
  return { name, wallAt, momentOf };
}

/** The offset from UTC at a moment, in ms. */
export const offsetAt = (zone: Zone, ms: number): number => utcOf(zone.wallAt(ms)) - Math.floor(ms / 1_000) * 1_000;

/** The moments at which the clock of the zone shows this wall time, in order: two if a clock change repeats it. */
export function momentsLike(zone: Zone, ms: number): number[] {
  const wall = zone.wallAt(ms);
  return [-2, -1, -0.5, 0, 0.5, 1, 2]
    .map((hours) => ms + hours * 3_600_000)
    .filter((moment) => zone.wallAt(moment) === wall);
}

/** Whether the clock of the zone shows the same wall time a second time. */
export const isRepeated = (zone: Zone, ms: number): boolean => momentsLike(zone, ms).length > 1;

/** A wall time ("HH:mm") as a moment of a day in UTC, for formats. */
export const utcOfTime = (time: string): number => Date.parse(`1970-01-01T${time}:00Z`);

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The user's time zone, or the browser's if the user chose none: then the service stores "UTC". */
export function zoneOf(chosen: string, browser: string): Zone {
  if (chosen === 'UTC' || chosen === '') return createZone(browser);
  try {
    return createZone(chosen);
  } catch {
    return createZone(browser);
  }
}

export const dayOf = (wall: string): string => wall.slice(0, 10);

/** "HH:mm" */
export const timeOf = (wall: string): string => wall.slice(11, 16);

/** The start of the day in UTC, in ms since the epoch; NaN for an invalid day. For arithmetic and formats in UTC. */
export function utcOfDay(day: string): number {
  const ms = utcOf(`${day} 00:00:00`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === day ? ms : Number.NaN;
}

export function addDays(day: string, count: number): string {
  return new Date(utcOfDay(day) + count * DAY_MS).toISOString().slice(0, 10);
}

export function weekStart(day: string): string {
  return addDays(day, -((new Date(utcOfDay(day)).getUTCDay() + 6) % 7));
}

function utcOf(wall: string): number {
  return Date.parse(`${wall.replace(' ', 'T')}Z`);
}
