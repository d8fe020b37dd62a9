/**
 * Verifies whether a send of unknown outcome created a pin. A pin references neither the media nor the request. It is
 * matched by board, by text, and by its absence before the send. Text without letters or digits proves nothing, nor do
 * two matching pins.
 */
import { HOUR, MINUTE } from '../../lib/time.ts';
import type {
  ConfirmResult,
  Fingerprint,
  JsonObject,
  PostContent,
  Published,
  Session,
  VerifyResult,
  Work,
} from '../contract.ts';
import { comparableText } from '../kit/comparable-text.ts';
import { at, textAt } from '../kit/json.ts';
import { notPosted, stillUnknown } from '../kit/results.ts';
import { boardFor, read, readAll } from './api.ts';
import { say } from './messages.ts';
import { progressOf } from './upload.ts';

const MAX_PAGES = 10;
const CLOCK_SLACK_MS = MINUTE;

/** @throws PlatformError if the board cannot be read */
export async function verify(
  { session, post }: Work,
  checkpoint: JsonObject | null,
  { text: description, committedAt }: Fingerprint,
): Promise<VerifyResult> {
  const { boardId, seen, sentAt } = progressOf(checkpoint);
  const board = boardId || boardFor(session, post);
  if (!board) return stillUnknown(say('board_unknown'));
  const ours = { ...textOf(post), description };
  const { alike, complete } = await findAlike(session, board, ours, MAX_PAGES);
  // Any of the sends may have created the pin.
  const since = Math.min(committedAt, sentAt || committedAt);
  const recent = notBefore(alike, since);
  const fresh = recent.filter((pin) =>
    seen ? !seen.includes(textAt(pin, 'id')) : (madeAt(pin) ?? 0) >= since - CLOCK_SLACK_MS,
  );
  // Without a snapshot, a pin with an unclear creation time may be ours or an older one.
  if (!seen && recent.length > fresh.length) return stillUnknown(say('match_of_unclear_age'));
  if (fresh.length > 0 && !isIdentifying(ours)) return stillUnknown(say('match_without_text'));
  const link = textAt(post.options, 'link');
  const [first, ...more] = fresh.filter((pin) => leadsTo(pin, link));
  if (first && more.length === 0)
    return { then: 'posted', published: publishedFrom(session, first, committedAt), note: say('post_found') };
  if (first) return stillUnknown(say('several_matches'));
  if (fresh.length > 0) return stillUnknown(say('match_with_other_link'));
  return complete ? notPosted(checkpoint, say('post_not_shown')) : stillUnknown(say('list_too_long'));
}

/** Not needed, because no outcome stays pending. If called, it reads the pin. @throws PlatformError */
export async function confirm({ session }: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const pin = await read(session, `/pins/${encodeURIComponent(textAt(checkpoint, 'pinId'))}`);
  return { then: 'posted', published: publishedFrom(session, pin, session.now()), note: say('posted') };
}

/** `created_at` has no time zone. Read as UTC, it is trusted only within this many ms of our clock. */
const NEAR_MS = 15 * MINUTE;

/** Text of our pin. */
interface PinText {
  title: string;
  description: string;
}

export function textOf(post: Pick<PostContent, 'text' | 'options'>): PinText {
  return { title: textAt(post.options, 'title'), description: post.text };
}

/** Whether the text has letters or digits to match by. */
function isIdentifying({ title, description }: PinText): boolean {
  return comparableText(title) + comparableText(description) !== '';
}

/** Lists the pins of a board with our text. @throws PlatformError */
export async function findAlike(
  session: Session,
  boardId: string,
  ours: PinText,
  maxPages: number,
): Promise<{ alike: unknown[]; complete: boolean }> {
  const { items, complete } = await readAll(session, `/boards/${encodeURIComponent(boardId)}/pins`, maxPages);
  return { alike: items.filter((pin) => isSameText(pin, ours)), complete };
}

/**
 * Compares letters and digits of a pin's text with ours. A save of another user's pin never matches. If we gave no
 * title, any title matches.
 */
export function isSameText(pin: unknown, { title, description }: PinText): boolean {
  if (at(pin, 'is_owner') === false || textAt(pin, 'parent_pin_id') !== '') return false;
  if (comparableText(textAt(pin, 'description')) !== comparableText(description)) return false;
  return comparableText(title) === '' || comparableText(textAt(pin, 'title')) === comparableText(title);
}

/** Returns the creation time in ms since the epoch, read as UTC if it has no zone; null if absent. */
export function madeAt(pin: unknown): number | null {
  const text = textAt(pin, 'created_at');
  const time = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(time) ? null : time;
}

/** Maximum error in ms of a creation time without a time zone. */
const ZONES_MS = 26 * HOUR;

/**
 * Keeps the pins that may have been created since a moment (ms since the epoch). A pin without a creation time is kept.
 */
export function notBefore(pins: readonly unknown[], since: number): unknown[] {
  return pins.filter((pin) => (madeAt(pin) ?? since) >= since - ZONES_MS);
}

/** Whether a pin links to the page that our pin links to. Scheme, query, and trailing slash are ignored. */
function leadsTo(pin: unknown, link: string): boolean {
  return pageOf(textAt(pin, 'link')) === pageOf(link);
}

function pageOf(link: string): string {
  const url = URL.parse(link);
  return url ? `${url.host}${url.pathname.replace(/\/$/, '')}` : link;
}

/** @param about time of the send, in ms since the epoch @throws TypeError if the response is not a pin */
export function publishedFrom(session: Pick<Session, 'endpoints'>, pin: unknown, about: number): Published {
  const remoteId = textAt(pin, 'id');
  if (!/^\d+$/.test(remoteId)) throw new TypeError('The response is no pin.');
  const made = madeAt(pin);
  return {
    remoteId,
    url: `${session.endpoints.www}/pin/${remoteId}/`,
    publishedAt: made !== null && Math.abs(made - about) <= NEAR_MS ? made : null,
  };
}
