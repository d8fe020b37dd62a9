/** Inserts a snippet into a caption. Pure. */

/** A range of a text, in UTF-16 units. Equal: a cursor. */
export interface Range {
  start: number;
  end: number;
}

/**
 * Replaces the range. A space separates the snippet from a word beside it.
 * @returns the text, and the position after the snippet
 */
export function insert(text: string, { start, end }: Range, snippet: string): { text: string; cursor: number } {
  const before = text.slice(0, start);
  const after = text.slice(end);
  const head = before + (/\S$/.test(before) ? ' ' : '') + snippet;
  return { text: head + (/^\S/.test(after) ? ' ' : '') + after, cursor: head.length };
}
