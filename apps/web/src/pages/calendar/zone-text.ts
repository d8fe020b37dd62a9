import { useMemo } from 'react';
import { useLocale } from 'use-intl';
import { isRepeated, timeOf, utcOfDay, utcOfTime, type Zone } from '../../time/zone-time.ts';

/** Formats times and days in a time zone. */
export interface ZoneText {
  /** "2:30 PM" or "14:30", with the zone's offset if the clock shows this time twice. */
  time(ms: number): string;
  /** With date and time, and the offset like `time`. */
  moment(ms: number): string;
  /** Of a wall time, "HH:mm". */
  wall(time: string): string;
  /** "2 PM" for a full hour, if the clock has 12; otherwise like `wall`. @param wall the wall time of a slot, "YYYY-MM-DD HH:mm:ss" */
  hour(wall: string): string;
  /** "Monday, November 23" */
  day(day: string): string;
  month(day: string): string;
  weekday(day: string): string;
  range(first: string, last: string): string;
}

/** With 12 or 24 hours, as everywhere. */
const TIME = { hour: 'numeric', minute: '2-digit' } as const;

export function useZoneText(zone: Zone): ZoneText {
  const locale = useLocale();
  return useMemo(() => zoneText(zone, locale), [zone, locale]);
}

/** Cached, because creating an `Intl.DateTimeFormat` is slow. */
function zoneText(zone: Zone, locale: string): ZoneText {
  const formatOf = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options);
  const inUtc = (options: Intl.DateTimeFormatOptions) => {
    const format = formatOf({ ...options, timeZone: 'UTC' });
    return (day: string) => format.format(utcOfDay(day));
  };
  const time = formatOf({ ...TIME, timeZone: zone.name });
  const timeWithOffset = formatOf({ ...TIME, timeZone: zone.name, timeZoneName: 'shortOffset' });
  const dated = { ...TIME, weekday: 'short', month: 'short', day: 'numeric', timeZone: zone.name } as const;
  const moment = formatOf(dated);
  const momentWithOffset = formatOf({ ...dated, timeZoneName: 'shortOffset' });
  const wall = formatOf({ ...TIME, timeZone: 'UTC' });
  const isTwelve = wall.resolvedOptions().hour12;
  const hour = isTwelve ? formatOf({ hour: 'numeric', timeZone: 'UTC' }) : wall;
  const range = formatOf({ dateStyle: 'medium', timeZone: 'UTC' });
  return {
    time: (ms) => (isRepeated(zone, ms) ? timeWithOffset : time).format(ms),
    moment: (ms) => (isRepeated(zone, ms) ? momentWithOffset : moment).format(ms),
    wall: (each) => wall.format(utcOfTime(each)),
    hour: (each) => (timeOf(each).endsWith(':00') ? hour : wall).format(utcOfTime(timeOf(each))),
    day: inUtc({ weekday: 'long', month: 'long', day: 'numeric' }),
    month: inUtc({ month: 'long', year: 'numeric' }),
    weekday: inUtc({ weekday: 'short' }),
    range: (first, last) => range.formatRange(utcOfDay(first), utcOfDay(last)),
  };
}
