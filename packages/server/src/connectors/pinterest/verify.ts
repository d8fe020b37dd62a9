/**
 * Verifies whether a send of unknown outcome created a pin. A pin references neither the media nor the request. It is
 * matched by board, by text, and by its absence before the send. Text without letters or digits proves nothing, nor do
 * two matching pins.
 */
import type { ConfirmResult, Fingerprint, JsonObject, VerifyResult, Work } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { notPosted, stillUnknown } from '../kit/results.ts';
import { boardFor, read } from './api.ts';
import { areIdentifying, leadsTo, likePins, madeAt, notBefore, publishedFrom, wordsOf } from './pins.ts';
import { progressOf } from './upload.ts';

const MAX_PAGES = 10;
const CLOCK_SLACK_MS = 60_000;

/** @throws PlatformError if the board cannot be read */
export async function verify(
  work: Work,
  checkpoint: JsonObject | null,
  fingerprint: Fingerprint,
): Promise<VerifyResult> {
  const { session, post } = work;
  const progress = progressOf(checkpoint);
  const boardId = progress.boardId || boardFor(session, post);
  if (!boardId) return stillUnknown('It is not known which board the pin would be on.');
  const words = { ...wordsOf(post), description: fingerprint.text };
  const { alike, complete } = await likePins(session, boardId, words, MAX_PAGES);
  const { committedAt } = fingerprint;
  // Any of the sends may have created the pin.
  const since = Math.min(committedAt, progress.sentAt || committedAt);
  const recent = notBefore(alike, since);
  const fresh = progress.seen
    ? recent.filter((pin) => !progress.seen?.includes(textAt(pin, 'id')))
    : recent.filter((pin) => (madeAt(pin) ?? 0) >= since - CLOCK_SLACK_MS);
  // Without a snapshot, a pin with an unclear creation time may be ours or an older one.
  if (!progress.seen && recent.length > fresh.length) return stillUnknown('The board shows pins of unclear age.');
  if (fresh.length > 0 && !areIdentifying(words))
    return stillUnknown('The board shows a new pin, and there are no words to know it by.');
  const link = textAt(post.options, 'link');
  const [first, ...more] = fresh.filter((pin) => leadsTo(pin, link));
  if (first && more.length === 0)
    return { then: 'posted', published: publishedFrom(session, first, committedAt), note: 'The board shows the pin.' };
  if (first) return stillUnknown('The board shows several pins that could be this one.');
  if (fresh.length > 0) return stillUnknown('The board shows a pin with these words and another link.');
  if (!complete) return stillUnknown('The board has too many pins to look through.');
  return notPosted(checkpoint, 'The board does not show the pin.');
}

/** Not needed, because no outcome stays pending. If called, it reads the pin. @throws PlatformError */
export async function confirm({ session }: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const pin = await read(session, `/pins/${encodeURIComponent(textAt(checkpoint, 'pinId'))}`);
  return { then: 'posted', published: publishedFrom(session, pin, session.now()), note: 'The pin is there.' };
}
