/**
 * LinkedIn's "little text" format for the text of a post (learn.microsoft.com, "little Text Format"). Reserved
 * characters are escaped with a backslash. An unescaped one can silently truncate the text, so all are escaped except
 * the `#` of a hashtag. Pure.
 */

/**
 * Maximum length after escaping, in UTF-16 units. This is the value that other clients use; the documentation gives
 * none.
 */
export const MAX_ESCAPED = 3_000;

/** Reserved characters. */
export const RESERVED = '\\|{}@[]()<>#*_~';

const ANY_RESERVED = '[\\\\|{}@[\\]()<>#*_~]';
const HASHTAG = '(?<![\\p{L}\\p{N}\\p{M}_#&])#(?=\\p{N}*\\p{L})';
const ESCAPED = new RegExp(`(${HASHTAG})|${ANY_RESERVED}`, 'gu');

/** Escapes a text. Readers see the original text, with working hashtags. */
export function escapeText(text: string): string {
  return text.replace(ESCAPED, (char, hashtag: string | undefined) => (hashtag ? char : `\\${char}`));
}

/** Converts a text from LinkedIn to what readers see: removes escapes, hashtag templates, and mention markup. */
export function plainText(text: string): string {
  return text
    .replace(/\{hashtag\|\\?#\|([^{}|]+)\}/gu, '#$1')
    .replace(/@\[((?:[^\\[\]]|\\.)+)\]\(urn:li:[^()]+\)/gu, '$1')
    .replace(new RegExp(`\\\\(${ANY_RESERVED})`, 'gu'), '$1');
}
