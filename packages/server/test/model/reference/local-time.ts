/** Local days and quiet hours in a time zone. */

import type { Certainty } from './certainty.ts';
import type { RuleOptions, Time } from './facts.ts';

const MINUTE = 60_000;
const DAY_MINUTES = 1440;

export type QuietHours = NonNullable<RuleOptions['quietHours']>;

/** Reads local times. Formatters are cached per instance, because they are slow to create. */
export interface LocalClock {
  /** The local day as YYYY-MM-DD. */
  day(zone: string, time: Time): string;
  /** Minutes since local midnight. */
  minute(zone: string, time: Time): number;
}

/** Creates a clock. */
export function createLocalClock(): LocalClock {
  const formats = new Map<string, Intl.DateTimeFormat>();
  const parts = (zone: string, time: Time): Record<string, string> => {
    let format = formats.get(zone);
    if (!format) {
      format = new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        hourCycle: 'h23',
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
        hour: '2-digit',
        minute: '2-digit',
      });
      formats.set(zone, format);
    }
    return Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
  };
  return {
    day: (zone, time) => {
      const { year, month, day } = parts(zone, time);
      return `${year}-${month}-${day}`;
    },
    minute: (zone, time) => {
      const { hour, minute } = parts(zone, time);
      return Number(hour) * 60 + Number(minute);
    },
  };
}

/** Minutes of a local time such as 22:30. */
function minutesOf(local: string): number {
  const [hours, minutes] = local.split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** Minutes since the quiet hours began, or null outside of them. */
function minutesInside(clock: LocalClock, quiet: QuietHours, time: Time): number | null {
  const from = minutesOf(quiet.from);
  const length = (minutesOf(quiet.to) - from + DAY_MINUTES) % DAY_MINUTES;
  const inside = (clock.minute(quiet.zone, time) - from + DAY_MINUTES) % DAY_MINUTES;
  return inside < length ? inside : null;
}

/**
 * Whether the time is in the quiet hours.
 *
 * The documents do not say what equal ends mean (never, or all day), so that both are accepted.
 */
export function isQuiet(clock: LocalClock, quiet: QuietHours | null, time: Time): Certainty {
  if (!quiet) return 'no';
  if (minutesOf(quiet.from) === minutesOf(quiet.to)) return 'either';
  return minutesInside(clock, quiet, time) === null ? 'no' : 'yes';
}

/** How long the quiet hours have lasted at this time; null outside of them. */
export function quietFor(clock: LocalClock, quiet: QuietHours, time: Time): number | null {
  const inside = minutesInside(clock, quiet, time);
  return inside === null ? null : inside * MINUTE + (time % MINUTE);
}

/** The end of the quiet hours that contain the time, or the time itself. */
export function afterQuiet(clock: LocalClock, quiet: QuietHours | null, time: Time): Time {
  if (!quiet) return time;
  if (minutesOf(quiet.from) === minutesOf(quiet.to)) return time + DAY_MINUTES * MINUTE;
  let end = time;
  // A change of the clocks can move the end, so that it is computed again.
  for (let round = 0; round < 5; round++) {
    const inside = minutesInside(clock, quiet, end);
    if (inside === null) return end;
    const length = (minutesOf(quiet.to) - minutesOf(quiet.from) + DAY_MINUTES) % DAY_MINUTES;
    end = end - (end % MINUTE) + (length - inside) * MINUTE;
  }
  return end;
}
