/**
 * Finds links, tags, and mentions in a text. Bluesky links nothing automatically: each one is a facet with a half-open
 * byte range in the UTF-8 text (lexicon app.bsky.richtext.facet).
 */
import type { JsonObject } from '../contract.ts';

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
  let count = 0;
  for (const _ of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) count++;
  return count;
}
