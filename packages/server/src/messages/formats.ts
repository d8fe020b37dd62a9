/** How numbers, durations, sizes and times are written in a language. */
import { HOUR, MINUTE } from '../time.ts';

export interface Formats {
  number(value: number): string;
  /** @param ms a duration */
  duration(ms: number): string;
  size(bytes: number): string;
  /** @param ms since the epoch */
  time(ms: number): string;
}

export const ENGLISH: Formats = formatsOf('en-US', 'bytes');

/**
 * Creates the formats of a language.
 * @param locale BCP 47
 * @param byte the unit of small sizes
 */
export function formatsOf(locale: string, byte: string): Formats {
  const { format: number } = new Intl.NumberFormat(locale);
  const decimal = new Intl.NumberFormat(locale, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    useGrouping: false,
  });
  return {
    number,
    // In every language: programs read it too, and pages write it in the user's time zone.
    time: (ms) => new Date(ms).toISOString(),
    // The symbols s, min and h are the same in every language (ISO 80000).
    duration(ms) {
      if (ms < 90_000) return `${Math.max(1, Math.round(ms / 1000))} s`;
      if (ms < 90 * MINUTE) return `${Math.round(ms / MINUTE)} min`;
      return `${Math.round(ms / HOUR)} h`;
    },
    size(bytes) {
      if (bytes < 1_000) return `${bytes} ${byte}`;
      if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} kB`;
      if (bytes < 1_000_000_000) return `${decimal.format(bytes / 1_000_000)} MB`;
      return `${decimal.format(bytes / 1_000_000_000)} GB`;
    },
  };
}
