/** Reads the pins of a board and matches them against ours. */
import type { Json, PostContent, Published, Session } from '../contract.ts';
import { comparableText } from '../kit/comparable-text.ts';
import { at, textAt } from '../kit/json.ts';
import { readAll } from './api.ts';

/** `created_at` has no time zone. Read as UTC, it is trusted only within this many ms of our clock. */
const NEAR_MS = 15 * 60_000;

/** Text of our pin. */
export interface Words {
  title: string;
  description: string;
}

export function wordsOf(post: Pick<PostContent, 'text' | 'options'>): Words {
  return { title: textAt(post.options, 'title'), description: post.text };
}

/** Whether the text has letters or digits to match by. */
export function areIdentifying({ title, description }: Words): boolean {
  return comparableText(title) + comparableText(description) !== '';
}

/** Lists the pins of a board with our text. @throws PlatformError */
export async function likePins(
  session: Session,
  boardId: string,
  words: Words,
  maxPages: number,
): Promise<{ alike: unknown[]; complete: boolean }> {
  const { items, complete } = await readAll(session, `/boards/${encodeURIComponent(boardId)}/pins`, maxPages);
  return { alike: items.filter((pin) => isSameText(pin, words)), complete };
}

/**
 * Compares letters and digits of a pin's text with ours. A save of another user's pin never matches. If we gave no
 * title, any title matches.
 */
export function isSameText(pin: unknown, { title, description }: Words): boolean {
  if (at(pin, 'is_owner') === false || textAt(pin, 'parent_pin_id') !== '') return false;
  if (comparableText(textAt(pin, 'description')) !== comparableText(description)) return false;
  return comparableText(title) === '' || comparableText(textAt(pin, 'title')) === comparableText(title);
}

/** Returns the creation time in ms since the epoch, read as UTC if it has no zone; null if absent. */
export function madeAt(pin: unknown): number | null {
  const told = textAt(pin, 'created_at');
  const time = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(told) ? told : `${told}Z`);
  return Number.isNaN(time) ? null : time;
}

/** Maximum error in ms of a creation time without a time zone. */
const ZONES_MS = 26 * 3_600_000;

/**
 * Keeps the pins that may have been created since a moment (ms since the epoch). A pin without a creation time is kept.
 */
export function notBefore(pins: readonly unknown[], since: number): unknown[] {
  return pins.filter((pin) => (madeAt(pin) ?? since) >= since - ZONES_MS);
}

/** Whether a pin links to the page that our pin links to. Scheme, query, and trailing slash are ignored. */
export function leadsTo(pin: unknown, link: string): boolean {
  return pageOf(textAt(pin, 'link')) === pageOf(link);
}

function pageOf(link: string): string {
  const url = URL.parse(link);
  return url ? `${url.host}${url.pathname.replace(/\/$/, '')}` : link;
}

/** @param about time of the send, in ms since the epoch @throws TypeError if the response is not a pin */
export function publishedFrom(session: Pick<Session, 'endpoints'>, pin: Json | unknown, about: number): Published {
  const remoteId = textAt(pin, 'id');
  if (!/^\d+$/.test(remoteId)) throw new TypeError('The answer is no pin.');
  const made = madeAt(pin);
  return {
    remoteId,
    url: `${session.endpoints.www}/pin/${remoteId}/`,
    publishedAt: made !== null && Math.abs(made - about) <= NEAR_MS ? made : null,
  };
}
