import { useFormatter } from 'use-intl';
import { durationOf, sizeOf } from './units.ts';

/** Formats sizes and durations in the language of the page. */
export function useQuantities(): { bytes(count: number): string; seconds(count: number): string } {
  const format = useFormatter();
  const show = (unitDisplay: 'short' | 'narrow', { value, unit }: { value: number; unit: string }) =>
    format.number(value, { style: 'unit', unit, unitDisplay });
  return {
    bytes: (count) => show('short', sizeOf(count)),
    seconds: (count) => show('short', durationOf(count)),
  };
}
