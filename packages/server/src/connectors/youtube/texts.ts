/** Converts texts to a title and description ("Videos", resource properties): neither may contain `<` or `>`. */

/** UTF-16 units, the strictest way to count. */
export const MAX_TITLE = 100;
const MAX_DESCRIPTION_BYTES = 5_000;
/** Maximum characters dropped from a title to end it at a whole word. */
const WORD = 24;
const UNTITLED = 'Video';

/** Derives a title from a text: its first nonempty line, shortened to the limit. Never empty. */
export function titleOf(text: string): string {
  const lines = text.toWellFormed().split(/[\r\n\u2028\u2029]+/);
  const line = lines.map((each) => each.replace(/[\p{Cc}\s]+/gu, ' ').trim()).find((each) => each !== '');
  return line === undefined ? UNTITLED : cut(withoutAngles(line));
}

/** Replaces angle brackets. A text within the byte limit stays within it. */
export function descriptionOf(text: string): string {
  const description = withoutAngles(text);
  // The typographic replacements take three bytes each.
  if (Buffer.byteLength(description) <= MAX_DESCRIPTION_BYTES) return description;
  return text.replaceAll('<', '(').replaceAll('>', ')');
}

function withoutAngles(text: string): string {
  return text.replaceAll('<', '‹').replaceAll('>', '›');
}

function cut(line: string): string {
  if (line.length <= MAX_TITLE) return line;
  let kept = '';
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(line)) {
    if (kept.length + segment.length > MAX_TITLE - 1) break;
    kept += segment;
  }
  const space = kept.lastIndexOf(' ');
  return `${(space > kept.length - WORD ? kept.slice(0, space) : kept).trimEnd()}…`;
}
