/** The range of days that a calendar view shows, and its previous and next pages. Pure. */
import { addDays, utcOfDay, weekStart, type Zone } from '../../time/zone-time.ts';

export const VIEWS = ['month', 'week', 'list'] as const;
export type View = (typeof VIEWS)[number];

/** Days, both inclusive. */
export interface Days {
  first: string;
  last: string;
}

const LIST_DAYS = 28;
const WEEK_DAYS = 7;

export interface CalendarSearch {
  view?: View;
  /** A day in the shown range; default: today. */
  date?: string;
}

/** Parses the URL's parameters. Unknown ones are ignored. */
export function readSearch({ view, date }: Record<string, unknown>): CalendarSearch {
  const known = VIEWS.find((each) => each === view);
  return {
    ...(known ? { view: known } : {}),
    ...(typeof date === 'string' && !Number.isNaN(utcOfDay(date)) ? { date } : {}),
  };
}

/** A month is shown in whole weeks from Monday. */
export function daysOf(view: View, date: string): Days {
  if (view === 'list') return { first: date, last: addDays(date, LIST_DAYS - 1) };
  if (view === 'week') return { first: weekStart(date), last: addDays(weekStart(date), WEEK_DAYS - 1) };
  const first = weekStart(`${date.slice(0, 7)}-01`);
  const lastOfMonth = addDays(nextMonth(date, 1), -1);
  return { first, last: addDays(weekStart(lastOfMonth), WEEK_DAYS - 1) };
}

/** The moments of the days in ms since the epoch, both inclusive. */
export function momentsOf({ first, last }: Days, zone: Zone): { from: number; to: number } {
  return { from: zone.momentOf(`${first} 00:00:00`), to: zone.momentOf(`${addDays(last, 1)} 00:00:00`) - 1 };
}

/** The date of the previous (-1) or next (1) page. */
export function turn(view: View, date: string, direction: -1 | 1): string {
  if (view === 'month') return nextMonth(date, direction);
  return addDays(date, direction * (view === 'week' ? WEEK_DAYS : LIST_DAYS));
}

/** The first day of a later month. */
function nextMonth(date: string, count: number): string {
  const [year = 0, month = 0] = date.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + count, 1)).toISOString().slice(0, 10);
}
