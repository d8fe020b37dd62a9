/** How numbers, durations, sizes and times are written for a reader: in their language and time zone. */
import { HOUR, MINUTE } from '../lib/time.ts';

export interface Formats {
  number(value: number): string;
  /** @param ms a duration */
  duration(ms: number): string;
  size(bytes: number): string;
  /** With the name of the time zone. @param ms since the epoch */
  time(ms: number): string;
  /** Which form of a noun follows a number. */
  plural(count: number): 'one' | 'other';
  /** The same formats in another time zone. @param zone IANA name */
  inZone(zone: string): Formats;
}

export const ENGLISH: Formats = formatsOf('en-US', 'bytes');

/**
 * Creates the formats of a language. The languages have two forms of a noun: for one, and for all other numbers.
 * @param locale BCP 47
 * @param byte the unit of small sizes
 * @param zone IANA name
 */
export function formatsOf(locale: string, byte: string, zone = 'UTC'): Formats {
  const { number, decimal, plurals } = intlOf(locale);
  const formats: Formats = {
    // Short numbers have no separators, and messages that are written at the start have no others.
    number: (value) => (Number.isInteger(value) && value >= 0 && value < 1_000 ? `${value}` : number().format(value)),
    time: (ms) => writeMoment(locale, zone, ms),
    plural: (count) => (plurals().select(count) === 'one' ? 'one' : 'other'),
    inZone: (other) => (other === zone ? formats : formatsOf(locale, byte, other)),
    // The symbols s, min and h are the same in every language (ISO 80000).
    duration(ms) {
      if (ms < 90_000) return `${Math.max(1, Math.round(ms / 1000))} s`;
      if (ms < 90 * MINUTE) return `${Math.round(ms / MINUTE)} min`;
      return `${Math.round(ms / HOUR)} h`;
    },
    size(bytes) {
      if (bytes < 1_000) return `${bytes} ${byte}`;
      if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} kB`;
      if (bytes < 1_000_000_000) return `${decimal().format(bytes / 1_000_000)} MB`;
      return `${decimal().format(bytes / 1_000_000_000)} GB`;
    },
  };
  return formats;
}

/** Creating these takes 12 ms, which a start does not need. */
function intlOf(locale: string) {
  const tenths = { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false };
  return {
    number: once(() => new Intl.NumberFormat(locale)),
    decimal: once(() => new Intl.NumberFormat(locale, tenths)),
    plurals: once(() => new Intl.PluralRules(locale)),
  };
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const MOMENT = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const;

/** A date, a time of day and its zone, as everything that people read shows them. @param ms since the epoch */
export function writeMoment(locale: string, zone: string, ms: number): string {
  const text = new Intl.DateTimeFormat(locale, { ...MOMENT, timeZone: zone }).format(ms);
  // Newer locale data separates AM and PM by a narrow space, which many terminals and mail programs do not show.
  return text.replaceAll('\u202f', ' ');
}
