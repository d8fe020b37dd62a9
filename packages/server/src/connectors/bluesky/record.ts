/** The record of a post (lexicon app.bsky.feed.post) and its key (atproto.com/specs/tid). */
import { randomInt } from 'node:crypto';
import type { JsonObject, Work } from '../contract.ts';
import { POST } from './address.ts';
import { recordFields } from './limits.ts';
import { facetsOf } from './text.ts';

const SORTABLE = '234567abcdefghijklmnopqrstuvwxyz';
const TID = /^[234567a-j][234567a-z]{12}$/;

/** Returns a unique record key (TID) for a time in ms since the epoch. */
export function newRecordKey(now: number): string {
  let value = ((BigInt(now) * 1000n + BigInt(randomInt(1000))) << 10n) | BigInt(randomInt(1024));
  let text = '';
  for (let i = 0; i < 13; i++) {
    text = SORTABLE.charAt(Number(value & 31n)) + text;
    value >>= 5n;
  }
  return text;
}

/** Returns the time of a TID (a record key or a revision) in ms since the epoch; null if it is not a TID. */
export function timeOfTid(tid: string): number | null {
  if (!TID.test(tid)) return null;
  let value = 0n;
  for (const letter of tid) value = (value << 5n) | BigInt(SORTABLE.indexOf(letter));
  return Number((value >> 10n) / 1000n);
}

/** @param blob reference to the uploaded video @param createdAt ms since the epoch */
export function postRecord(
  { post, media }: Pick<Work, 'post' | 'media'>,
  given: { blob: JsonObject; mentions: Readonly<Record<string, string>>; createdAt: number },
): JsonObject {
  const facets = facetsOf(post.text, given.mentions);
  return {
    $type: POST,
    text: post.text,
    createdAt: new Date(given.createdAt).toISOString(),
    ...(facets.length > 0 ? { facets } : {}),
    ...recordFields(post),
    embed: {
      $type: 'app.bsky.embed.video',
      video: given.blob,
      aspectRatio: { width: Math.max(1, Math.round(media.width)), height: Math.max(1, Math.round(media.height)) },
    },
  };
}
