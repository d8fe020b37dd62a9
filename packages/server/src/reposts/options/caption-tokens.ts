/** Tokens of captions: hashtags, mentions and URLs, found on grapheme clusters, so that none is ever split. Pure. */

/** A range of clusters. `end` is exclusive. */
export interface Range {
  start: number;
  end: number;
}

export interface Token extends Range {
  kind: 'hashtag' | 'mention';
  text: string;
}

const WORD = /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_\u200c\u200d]*$/u;
const BEGINS_WORD = /^[\p{L}\p{N}_]/u;
const EMOJI = /^\p{RGI_Emoji}$/v;
const HASH = /^[#＃]$/;
const AT = /^[@＠]$/;
/** Characters other than letters, digits and dots that the local part of an e-mail address may contain. */
const LOCAL_PART = /^[.!#$%&'*+/=?^`{|}~-]$/;
/** `https://…`, up to white space, brackets or quotes. */
const URL = /https?:\/\/[^\s<>"“”„«»。、，！？]+/giu;
/** `example.org/…`, `example.org?…` or `example.org#…`. */
const BARE_URL = /(?<![\p{L}\p{N}.-])[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d{1,5})?[/?#][^\s<>"“”„«»。、，！？]*/gu;

/** Splits a text into grapheme clusters. */
export function clustersOf(text: string): string[] {
  return Array.from(new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text), ({ segment }) => segment);
}

/** Letters, digits or an underscore with their marks. Keycap emoji begin with a digit, but are not words. */
function isWord(cluster: string | undefined): boolean {
  return cluster !== undefined && WORD.test(cluster) && !EMOJI.test(cluster);
}

/** The hashtags and mentions outside of words and URLs, in order. */
export function tokensOf(clusters: readonly string[]): Token[] {
  const inUrl = urlClusters(clusters);
  const tokens: Token[] = [];
  for (let at = 0; at < clusters.length; at++) {
    if (inUrl[at]) continue;
    const token = hashtagAt(clusters, at, tokens.at(-1)) ?? mentionAt(clusters, at);
    if (!token) continue;
    tokens.push(token);
    at = token.end - 1;
  }
  return tokens;
}

/** @param previous a hashtag may follow another one without a space */
function hashtagAt(clusters: readonly string[], start: number, previous: Token | undefined): Token | null {
  if (!HASH.test(clusters[start] ?? '')) return null;
  const isNext = previous?.kind === 'hashtag' && previous.end === start;
  const before = clusters[start - 1] ?? '';
  if (!isNext && (isWord(before) || /^[&/#＃]$/.test(before))) return null;
  const end = wordEnd(clusters, start + 1);
  const name = clusters.slice(start + 1, end).join('');
  if (!/\p{L}/u.test(name)) return null;
  return { kind: 'hashtag', start, end, text: `#${name.replace(/[\u200c\u200d]$/, '')}` };
}

/** The end of the word that begins at a place; the place itself if none does, or one that continues differently. */
function wordEnd(clusters: readonly string[], start: number): number {
  let end = start;
  while (isWord(clusters[end])) end++;
  const next = clusters[end] ?? '';
  return BEGINS_WORD.test(next) && !EMOJI.test(next) ? start : end;
}

/** `@name`, also with dots and hyphens, or `@name@host`. */
function mentionAt(clusters: readonly string[], start: number): Token | null {
  if (!AT.test(clusters[start] ?? '') || isWord(clusters[start - 1])) return null;
  let end = nameEnd(clusters, start + 1);
  if (end === start + 1) return null;
  while (AT.test(clusters[end] ?? '')) {
    const next = nameEnd(clusters, end + 1);
    if (next === end + 1) break;
    end = next;
  }
  const text = clusters.slice(start, end).join('');
  if (text.includes('.') && endsLocalPart(clusters, start)) return null;
  return { kind: 'mention', start, end, text };
}

/** The end of a name, without a dot or hyphen at its end. */
function nameEnd(clusters: readonly string[], start: number): number {
  let end = wordEnd(clusters, start);
  while (end > start) {
    let next = end;
    if (/^[.·]$/.test(clusters[next] ?? '')) next++;
    else while (clusters[next] === '-') next++;
    const word = next === end ? next : wordEnd(clusters, next);
    if (word === next) break;
    end = word;
  }
  return end;
}

/** Whether the text before an `@` can be the local part of an e-mail address, such as `nora+news`. */
function endsLocalPart(clusters: readonly string[], at: number): boolean {
  let place = at - 1;
  if (clusters[place] === '.') return false;
  while (LOCAL_PART.test(clusters[place] ?? '')) place--;
  return isWord(clusters[place]);
}

/** Whether each cluster belongs to a URL, with or without a scheme. */
function urlClusters(clusters: readonly string[]): boolean[] {
  const text = clusters.join('');
  const inUrl = new Uint8Array(text.length);
  for (const pattern of [URL, BARE_URL])
    for (const { 0: url, index } of text.matchAll(pattern)) inUrl.fill(1, index, index + url.length);
  let offset = 0;
  return clusters.map(({ length }) => {
    offset += length;
    return inUrl[offset - length] === 1;
  });
}
