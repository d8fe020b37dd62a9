/** Moving posts to other times, and the times of empty slots. Pure. */

import { timeProblem } from '../../time/schedule-limits.ts';
import { dayOf, timeOf, type Zone } from '../../time/zone-time.ts';
import type { Entry } from './entries.ts';

export type MoveProblem = 'inPast' | 'tooFar' | 'unchanged';

/** Where a post was dropped: on a day, or on a slot of the day with a wall time. */
export type Drop = { day: string } | { slot: string };

export interface Move {
  /** ms since the epoch */
  to: number;
  /** "HH:mm": the time of the drop, if the clock skips it on that day. The post then moves to after the gap. */
  skipped: string | null;
}

/**
 * Where a dropped post moves. A day keeps the post's time of day, also across a clock change.
 * @param entry its present moment and wall time
 */
export function movedTo({ at, wall }: Pick<Entry, 'at' | 'wall'>, drop: Drop, zone: Zone): Move {
  const wanted = 'slot' in drop ? drop.slot : `${drop.day} ${wall.slice(11)}`;
  // The second occurrence of a repeated time remains the second one.
  if (wanted === wall) return { to: at, skipped: null };
  const to = zone.momentOf(wanted);
  return { to, skipped: zone.wallAt(to) === wanted ? null : timeOf(wanted) };
}

/** Why a post cannot be moved; null if it can. All in ms since the epoch. */
export function problemOfMove(from: number, to: number, now: number): MoveProblem | null {
  return from === to ? 'unchanged' : timeProblem(to, now);
}

/** The default time of day. */
const DEFAULT_TIME = '12:00:00';
const HOUR_MS = 3_600_000;

/**
 * The time of a new post on an empty day: noon, or the next full hour of the zone if noon is over.
 * @returns null if the day is over
 */
export function proposedOn(day: string, zone: Zone, now: number): number | null {
  const noon = zone.momentOf(`${day} ${DEFAULT_TIME}`);
  if (noon > now) return noon;
  const nextHour = zone.wallAt(now + HOUR_MS);
  return dayOf(nextHour) === day ? zone.momentOf(`${nextHour.slice(0, 14)}00:00`) : null;
}

const DAY_MINUTES = 1_440;
/** Length of an entry in the week, in minutes. A post has no duration. */
const SHOWN_MINUTES = 60;

/** The minutes of the day that an entry covers. It has a minimum height, and never reaches the next day. */
function shownMinutes(wall: string): { start: number; end: number } {
  const start = Math.min(minutesOf(wall), DAY_MINUTES - SHOWN_MINUTES / 2);
  return { start, end: Math.min(start + SHOWN_MINUTES, DAY_MINUTES) };
}

/** An entry in the library's form. Its color is replaced when it is rendered, and its position is {@link positionOf}. */
export function eventOf({ id, wall, words }: Pick<Entry, 'id' | 'wall' | 'words'>) {
  const { start, end } = shownMinutes(wall);
  return { id, title: words, start: layoutTime(wall, start), end: layoutTime(wall, end), color: 'gray' };
}

/**
 * A time that stands for a minute of the day in the library's layout, which needs only days, order and overlaps. The
 * library reads it in the browser's zone, whose clock may skip the real one; then the end could be before the start, or
 * the day another. So the whole day is mapped to the time from 6:00 to 18:00, which no zone skips.
 */
function layoutTime(wall: string, minutes: number): string {
  const seconds = 6 * 3_600 + minutes * 30;
  return `${dayOf(wall)} ${new Date(seconds * 1_000).toISOString().slice(11, 19)}`;
}

/** The position in the column of a day, in percent. All hours have the same height, also on days of 23 or 25 hours. */
export function positionOf(wall: string): { top: string; bottom: string } {
  const { start, end } = shownMinutes(wall);
  return { top: `${(start / DAY_MINUTES) * 100}%`, bottom: `${100 - (end / DAY_MINUTES) * 100}%` };
}

function minutesOf(wall: string): number {
  return Number(wall.slice(11, 13)) * 60 + Number(wall.slice(14, 16));
}
