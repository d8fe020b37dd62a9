/**
 * The record of a post (lexicon app.bsky.feed.post), its key (atproto.com/specs/tid) and its facets. Bluesky links nothing
 * automatically: each link, tag and mention is a facet with a half-open byte range in the UTF-8 text (lexicon
 * app.bsky.richtext.facet).
 */
import { randomInt } from 'node:crypto';
import type { JsonObject, Work } from '../contract.ts';
import { captionLength } from '../kit/captions.ts';
import { recordFields } from './limits.ts';

export const POST = 'app.bsky.feed.post';

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

/** Returns the public URL of a post. */
export function postUrl(web: string | undefined, did: string, rkey: string): string {
  return `${web || 'https://bsky.app'}/profile/${did}/post/${rkey}`;
}

/** Returns the canonical id of a post, `at://DID/app.bsky.feed.post/KEY`. Also accepts the post's URL. */
export function canonicalId(id: string): string {
  const parts = /(?:at:\/\/|\/profile\/)([^/]+)\/(?:app\.bsky\.feed\.post|post)\/([^/?#]+)/.exec(id.trim());
  return parts ? `at://${parts[1]}/${POST}/${parts[2]}` : id.trim();
}

const MAX_TAG_GRAPHEMES = 64;
const MAX_TAG_BYTES = 640;

/** A match in a text. `start` and `end` are UTF-16 offsets. */
export type Found = { start: number; end: number } & (
  | { kind: 'link'; uri: string }
  | { kind: 'tag'; tag: string }
  | { kind: 'mention'; handle: string }
);

const LINK = /(?<![\p{L}\p{N}])https?:\/\/[^\s\p{Cf}<>"]+/giu;
/** A "#" at the start of a word, except in the keycap emoji. */
const TAG = /(?<=^|\s)[#＃](?!\ufe0f)[^\s#＃\u00ad\u200b\u2060]+/gu;
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const MENTION = new RegExp(
  `(?<=^|[\\s(])@((?:${LABEL}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)(?![\\p{L}\\p{N}_@-])`,
  'giu',
);

/** Finds everything that can become a facet, in order and without overlap. */
export function findAll(text: string): Found[] {
  const links = [...text.matchAll(LINK)].map(({ 0: raw, index }): Found => {
    const uri = withoutTail(raw);
    return { kind: 'link', start: index, end: index + uri.length, uri };
  });
  const tags = [...text.matchAll(TAG)].flatMap(({ 0: raw, index }): Found[] => {
    const tag = withoutEnd(raw.slice(1), /[\p{P}\p{Cf}]/u);
    return isTag(tag) ? [{ kind: 'tag', start: index, end: index + 1 + tag.length, tag }] : [];
  });
  const mentions = [...text.matchAll(MENTION)].map(
    ({ 0: raw, 1: handle, index }): Found => ({
      kind: 'mention',
      start: index,
      end: index + raw.length,
      handle: (handle ?? '').toLowerCase(),
    }),
  );
  const usable = links.filter((found) => found.kind === 'link' && URL.canParse(found.uri));
  return [...usable, ...tags, ...mentions]
    .sort((a, b) => a.start - b.start)
    .filter((found, index, all) => index === 0 || found.start >= (all[index - 1]?.end ?? 0));
}

/** Lists the distinct handles that a text mentions, in order. */
export function handlesIn(text: string): string[] {
  return [...new Set(findAll(text).flatMap((found) => (found.kind === 'mention' ? [found.handle] : [])))];
}

/** Builds the facets of a text. @param dids DIDs by handle; a handle without a DID stays plain text */
export function facetsOf(text: string, dids: Readonly<Record<string, string>>): JsonObject[] {
  return findAll(text).flatMap((found): JsonObject[] => {
    const feature = featureOf(found, dids);
    if (!feature) return [];
    const byteStart = Buffer.byteLength(text.slice(0, found.start));
    const byteEnd = byteStart + Buffer.byteLength(text.slice(found.start, found.end));
    return [{ index: { byteStart, byteEnd }, features: [feature] }];
  });
}

function featureOf(found: Found, dids: Readonly<Record<string, string>>): JsonObject | null {
  if (found.kind === 'link') return { $type: 'app.bsky.richtext.facet#link', uri: found.uri };
  if (found.kind === 'tag') return { $type: 'app.bsky.richtext.facet#tag', tag: found.tag };
  const did = Object.hasOwn(dids, found.handle) ? dids[found.handle] : undefined;
  return did ? { $type: 'app.bsky.richtext.facet#mention', did } : null;
}

/** Removes trailing punctuation, and a closing bracket that the link does not open. */
function withoutTail(link: string): string {
  const bare = withoutEnd(link, /[.,;:!?'”’»…*_~]/u);
  const open = bare.split('(').length;
  return bare.endsWith(')') && bare.split(')').length > open ? withoutTail(bare.slice(0, -1)) : bare;
}

/** Removes trailing characters that match a one-character pattern. */
function withoutEnd(text: string, pattern: RegExp): string {
  const characters = [...text];
  while (pattern.test(characters.at(-1) ?? '')) characters.pop();
  return characters.join('');
}

function isTag(tag: string): boolean {
  if (!/[^\p{N}\p{P}\p{Cf}\p{Mn}]/u.test(tag) || Buffer.byteLength(tag) > MAX_TAG_BYTES) return false;
  return graphemes(tag) <= MAX_TAG_GRAPHEMES;
}

/** Counts user-perceived characters. */
export function graphemes(text: string): number {
  return captionLength(text, { maxLength: 0, unit: 'graphemes' });
}
