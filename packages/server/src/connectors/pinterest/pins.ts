/** The pins of a board, and which of them could be ours. */
import type { Json, PostContent, Published, Session } from '../contract.ts';
import { at, textAt } from '../kit/json.ts';
import { readAll } from './api.ts';

/** Times name no zone; taken for UTC they are believed only so near to our own clock, ms. */
const NEAR_MS = 15 * 60_000;

/** What a pin of ours says. */
export interface Words {
  title: string;
  description: string;
}

export function wordsOf(post: Pick<PostContent, 'text' | 'options'>): Words {
  return { title: textAt(post.options, 'title'), description: post.text };
}

/** Whether the words have anything to be known by. */
export function areTelling({ title, description }: Words): boolean {
  return bare(title) + bare(description) !== '';
}

/** The pins of a board with our words. @throws PlatformError */
export async function likePins(
  session: Session,
  boardId: string,
  words: Words,
  maxPages: number,
): Promise<{ alike: unknown[]; complete: boolean }> {
  const { items, complete } = await readAll(session, `/boards/${encodeURIComponent(boardId)}/pins`, maxPages);
  return { alike: items.filter((pin) => saysTheSame(pin, words)), complete };
}

/**
 * Whether a pin says what we wanted to say, by letters and digits only. A save of somebody else's pin never does. A title
 * that we did not give may be there all the same.
 */
export function saysTheSame(pin: unknown, { title, description }: Words): boolean {
  if (at(pin, 'is_owner') === false || textAt(pin, 'parent_pin_id') !== '') return false;
  if (bare(textAt(pin, 'description')) !== bare(description)) return false;
  return bare(title) === '' || bare(textAt(pin, 'title')) === bare(title);
}

/** When a pin was made, ms since the epoch if its time is UTC; null where it does not say. */
export function madeAt(pin: unknown): number | null {
  const told = textAt(pin, 'created_at');
  const time = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(told) ? told : `${told}Z`);
  return Number.isNaN(time) ? null : time;
}

/** Times name no zone: one may be off by so much, ms. */
const ZONES_MS = 26 * 3_600_000;

/** Those that may have been made since a moment, ms since the epoch; a pin that does not say when may have been. */
export function notBefore(pins: readonly unknown[], since: number): unknown[] {
  return pins.filter((pin) => (madeAt(pin) ?? since) >= since - ZONES_MS);
}

/** Whether a pin leads where ours was to lead: the same page, however its address is written. */
export function leadsTo(pin: unknown, link: string): boolean {
  return pageOf(textAt(pin, 'link')) === pageOf(link);
}

function pageOf(link: string): string {
  const url = URL.parse(link);
  return url ? `${url.host}${url.pathname.replace(/\/$/, '')}` : link;
}

/** @param about when it was sent, ms since the epoch @throws TypeError where it is no pin */
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

function bare(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
