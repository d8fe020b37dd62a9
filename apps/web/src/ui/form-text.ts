/** Texts of forms, which may contain links: `[label](https://…)`. Pure. */

export type TextPart = { text: string } | { text: string; href: string };

const LINK = /\[([^\]]*)\]\((https:\/\/[^)\s]+)\)/g;

/** Splits a text at its https links. Other links stay text. */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(LINK)) {
    const [whole, label = '', href = ''] = match;
    if (match.index > end) parts.push({ text: text.slice(end, match.index) });
    parts.push({ text: label, href });
    end = match.index + whole.length;
  }
  return end < text.length ? [...parts, { text: text.slice(end) }] : parts;
}
