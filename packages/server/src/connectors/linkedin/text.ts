/**
 * "Little text", the format of a post's text (learn.microsoft.com, "little Text Format"): characters that mean something
 * stand for themselves behind a backslash. One that is left alone can cut the text off without a word, so all are
 * escaped but the `#` of a hashtag. Pure.
 */

/** Longest text after escaping, UTF-16 units: what clients use; the documentation names no number. */
export const MAX_ESCAPED = 3_000;

/** Characters that mean something. */
export const RESERVED = '\\|{}@[]()<>#*_~';

const ANY_RESERVED = '[\\\\|{}@[\\]()<>#*_~]';
const HASHTAG = '(?<![\\p{L}\\p{N}\\p{M}_#&])#(?=\\p{N}*\\p{L})';
const ESCAPED = new RegExp(`(${HASHTAG})|${ANY_RESERVED}`, 'gu');

/** A text as it is sent; what readers then see is the text that was given, its hashtags alive. */
export function escapeText(text: string): string {
  return text.replace(ESCAPED, (char, hashtag: string | undefined) => (hashtag ? char : `\\${char}`));
}

/** What readers see of a text that comes from LinkedIn: escapes, hashtag templates and mentions undone. */
export function plainText(text: string): string {
  return text
    .replace(/\{hashtag\|\\?#\|([^{}|]+)\}/gu, '#$1')
    .replace(/@\[((?:[^\\[\]]|\\.)+)\]\(urn:li:[^()]+\)/gu, '$1')
    .replace(new RegExp(`\\\\(${ANY_RESERVED})`, 'gu'), '$1');
}
