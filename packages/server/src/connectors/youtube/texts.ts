/** Title and description as YouTube takes them ("Videos", resource properties): neither may have `<` or `>`. */

/** UTF-16 units, so that in no way of counting there are more. */
export const MAX_TITLE = 100;
const MAX_DESCRIPTION_BYTES = 5_000;
/** As much of a title may be lost so that it ends with a whole word. */
const WORD = 24;
const UNTITLED = 'Video';

/** A title made of a text: its first line that says something, cut to what fits. Never empty. */
export function titleOf(text: string): string {
  const lines = text.toWellFormed().split(/[\r\n\u2028\u2029]+/);
  const line = lines.map((each) => each.replace(/[\p{Cc}\s]+/gu, ' ').trim()).find((each) => each !== '');
  return line === undefined ? UNTITLED : cut(withoutAngles(line));
}

/** The text without angle brackets; within the limit where it was so before. */
export function descriptionOf(text: string): string {
  const description = withoutAngles(text);
  // The typographic forms have three bytes each.
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
