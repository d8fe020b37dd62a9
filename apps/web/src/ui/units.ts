/** Formats sizes and durations in a readable unit. Pure. */

export type ByteUnit = 'byte' | 'kilobyte' | 'megabyte' | 'gigabyte' | 'terabyte';
export type TimeUnit = 'second' | 'minute' | 'hour' | 'day';

export interface Quantity<Unit> {
  value: number;
  unit: Unit;
}

const BYTES: readonly ByteUnit[] = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];
const TIMES: readonly (readonly [TimeUnit, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** Decimal units, with one decimal place below 100. */
export function sizeOf(bytes: number): Quantity<ByteUnit> {
  let value = Math.max(0, bytes);
  let index = 0;
  // From 999.5, the value would be shown as 1,000.
  while (value >= 999.5 && index < BYTES.length - 1) {
    value /= 1_000;
    index++;
  }
  const rounded = index === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10;
  return { value: rounded, unit: BYTES[index] ?? 'byte' };
}

/** The largest unit of which there is at least one, rounded down. */
export function durationOf(seconds: number): Quantity<TimeUnit> {
  const [unit, length] = TIMES.find(([, each]) => seconds >= each) ?? (['second', 1] as const);
  return { value: Math.floor(Math.max(0, seconds) / length), unit };
}
