/**
 * Sanitizes text from platforms, OAuth servers and media tools, so that it can be stored, shown and logged. PostgreSQL
 * rejects U+0000 in `text` and `jsonb`, and lone surrogates in `jsonb`.
 */

/** Limits in UTF-16 units. A remote id stays below the 2,704-byte limit of an index entry. */
export const TEXT_LIMITS = { name: 200, code: 100, sentence: 1_000, remoteId: 500, url: 2_000 } as const;

/** All control characters except tab, line feed, vertical tab, form feed and carriage return. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const CONTROL = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\p{Cs}]/gu;

/** One line: no control characters, no lone surrogates, whitespace collapsed, at most `maxLength` UTF-16 units. */
export function cleanText(text: string, maxLength: number): string {
  // Cut first, so that the cost does not depend on the text's length. Four times the limit leaves room for removed
  // characters.
  const folded = text
    .slice(0, maxLength * 4)
    .replace(CONTROL, '')
    .replace(/\s+/g, ' ')
    .trim();
  return cutText(folded, maxLength).trimEnd();
}

/** At most `maxLength` UTF-16 units, without splitting a surrogate pair. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength);
}

/** Number of code points, without an iterator: a text may have a million. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at + 1 < text.length; at++) {
    const isPair = (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    if (isPair) {
      count--;
      at++;
    }
  }
  return count;
}

/** The text with LF as its only line break: platforms count CRLF differently, and clients send all forms. */
export function unifyLineBreaks(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** The text as PostgreSQL can store it: without U+0000, with U+FFFD for lone surrogates. Otherwise unchanged. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

/** Whether PostgreSQL can store the text unchanged. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Returns a URL or id completely or not at all: truncated, it would identify something else. */
export function wholeOrNull(text: string | null, maxLength: number): string | null {
  if (text === null || text.length > maxLength) return null;
  return text.replace(CONTROL, '') === text ? text : null;
}

/** A complete web address (`http:` or `https:`), else null: clients show it as a link. */
export function webUrl(text: string | null): string | null {
  const url = wholeOrNull(text, TEXT_LIMITS.url);
  return url !== null && /^https?:$/.test(URL.parse(url)?.protocol ?? '') ? url : null;
}

/** Maximum depth that {@link storableJson} keeps. */
const MAX_DEPTH = 32;

/** JSON as `jsonb` can store it, including property names. Values nested too deeply become null. */
export function storableJson(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return storable(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((each) => storableJson(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [storable(name), storableJson(each, depth + 1)]),
  );
}

/** Removes trailing slashes. A regular expression would be quadratic for many slashes. */
export function withoutFinalSlashes(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '/') end--;
  return text.slice(0, end);
}

/** The last path segment of a URL, without query and fragment. */
export function lastPathPart(address: string): string {
  return withoutFinalSlashes(beforeQuery(address)).split('/').at(-1) ?? '';
}

/** A URL without query and fragment. */
export function beforeQuery(address: string): string {
  const end = address.search(/[?#]/);
  return end === -1 ? address : address.slice(0, end);
}
