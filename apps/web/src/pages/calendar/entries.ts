/** Converts posts to the calendar's entries. Pure. */
import type { FoundPost } from '@reelay/sdk';
import { dayOf, type Zone } from '../../time/zone-time.ts';
import { lookOf, type TargetLook } from '../../ui/target-look.ts';
import type { Days } from './range.ts';

export interface Entry {
  id: string;
  /** ms since the epoch. */
  at: number;
  /** Wall time in the user's time zone. */
  wall: string;
  status: TargetLook;
  /** The first words of the description; "" if it has none. */
  words: string;
  filename: string;
  /** Number of accounts. */
  accounts: number;
  isMovable: boolean;
}

const MAX_WORDS = 80;

/** @param now ms since the epoch */
export function entryOf(post: FoundPost, zone: Zone, now: number): Entry {
  const at = Date.parse(post.date);
  const status = statusOf(post, now);
  return {
    id: post.id,
    at,
    wall: zone.wallAt(at),
    status,
    words: firstWords(post.description),
    filename: post.filename,
    accounts: post.result.length,
    isMovable: status === 'SCHEDULED',
  };
}

/** One status for all accounts of a post. Unknown outcomes come first, because they need the user's attention. */
export function statusOf({ result, scheduled, date }: Pick<FoundPost, 'result' | 'scheduled' | 'date'>, now: number) {
  const looks = new Set(result.map((each) => lookOf(each, false)));
  const isWaiting = scheduled && Date.parse(date) > now && !looks.has('SUCCESS');
  if (isWaiting && (looks.has('PENDING') || looks.has('RETRYING'))) return 'SCHEDULED';
  if (looks.has('RETRYING')) return 'RETRYING';
  if (looks.has('PENDING')) return 'PENDING';
  if (looks.has('UNKNOWN')) return 'UNKNOWN';
  if (looks.has('FAILED')) return looks.has('SUCCESS') ? 'PARTLY' : 'FAILED';
  return 'SUCCESS';
}

/** One line of at most 80 characters, cut between words where possible. */
export function firstWords(description: string): string {
  const line = description.trim().replace(/\s+/g, ' ');
  const characters = [...line];
  if (characters.length <= MAX_WORDS) return line;
  const cut = characters.slice(0, MAX_WORDS).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > MAX_WORDS / 2 ? cut.slice(0, space) : cut}…`;
}

/** The entries of the days, earliest first. The service sends the latest posts first. */
export function entriesIn(
  posts: readonly FoundPost[],
  { first, last }: Days,
  { zone, now }: { zone: Zone; now: number },
): Entry[] {
  return posts
    .map((post) => entryOf(post, zone, now))
    .filter(({ wall }) => dayOf(wall) >= first && dayOf(wall) <= last)
    .sort((a, b) => a.at - b.at || a.id.localeCompare(b.id));
}

/** Entries by day, in their order. */
export function byDay(entries: readonly Entry[]): [day: string, entries: Entry[]][] {
  const days = new Map<string, Entry[]>();
  for (const entry of entries) days.set(dayOf(entry.wall), [...(days.get(dayOf(entry.wall)) ?? []), entry]);
  return [...days];
}
