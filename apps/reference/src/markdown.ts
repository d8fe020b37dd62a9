/** The part of Markdown that the document's descriptions use: paragraphs, lists, code and addresses. */
export type Inline = { kind: 'text' | 'code' | 'link'; text: string };

export type Block = { kind: 'paragraph'; content: Inline[] } | { kind: 'list'; items: Inline[][] };

/** Parses a description. Other syntax stays text. */
export function parseMarkdown(source: string): Block[] {
  return source
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part): Block => {
      const lines = part.split('\n');
      if (!lines.every((line) => line.startsWith('- '))) return { kind: 'paragraph', content: parseInline(part) };
      return { kind: 'list', items: lines.map((line) => parseInline(line.slice(2))) };
    });
}

/** Code between backquotes, and https addresses without the punctuation that follows. */
const SPECIAL = /`([^`\n]+)`|https:\/\/[^\s)`<>"]*[^\s)`<>".,;:!?]/g;

function parseInline(text: string): Inline[] {
  const found: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(SPECIAL)) {
    if (match.index > end) found.push({ kind: 'text', text: text.slice(end, match.index) });
    const [whole, code] = match;
    found.push(code === undefined ? { kind: 'link', text: whole } : { kind: 'code', text: code });
    end = match.index + whole.length;
  }
  if (end < text.length) found.push({ kind: 'text', text: text.slice(end) });
  return found;
}
