/** Captions: removes formatting, with lengths in UTF-16 units, and detects hashtags, mentions, and URLs. */
import type { JsonObject } from '../../json.ts';
import { refuse } from './responses.ts';

const TAGS = /^(b|strong|i|em|u|ins|s|strike|del|a|code|pre|span|tg-spoiler|tg-emoji|blockquote)$/;
const REFERENCES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"' };

/** Returns the caption without markup. @param given.entities JSON text of `caption_entities` @throws Refused */
export function plainCaption(given: { text: string; parseMode: string; entities: string }): string {
  if (given.entities) checkEntities(given.entities, given.text);
  switch (given.parseMode.toLowerCase()) {
    case '':
      return given.text;
    case 'html':
      return withoutTags(given.text);
    case 'markdownv2':
      return withoutMarks(given.text);
    default:
      return refuse(400, 'Bad Request: unsupported parse_mode');
  }
}

function cannotParse(why: string): never {
  return refuse(400, `Bad Request: can't parse entities: ${why}`);
}

function checkEntities(json: string, text: string): void {
  let entities: unknown;
  try {
    entities = JSON.parse(json);
  } catch {
    cannotParse("can't parse JSON");
  }
  if (!Array.isArray(entities)) cannotParse('expected an Array of MessageEntity');
  for (const { type, offset, length } of entities as { type?: unknown; offset?: unknown; length?: unknown }[]) {
    const fits =
      typeof offset === 'number' && typeof length === 'number' && offset >= 0 && offset + length <= text.length;
    if (typeof type !== 'string' || !fits) cannotParse('an entity does not fit the text');
  }
}

function withoutTags(text: string): string {
  const open: string[] = [];
  const plain = text.replace(/<(\/?)([a-z-]*)[^>]*>?/gi, (tag, closing: string, name: string, offset: number) => {
    const bare = name.toLowerCase();
    if (!tag.endsWith('>') || !TAGS.test(bare)) cannotParse(`Unsupported start tag "${name}" at byte offset ${offset}`);
    if (closing === '') open.push(bare);
    else if (open.pop() !== bare) cannotParse(`Unexpected end tag at byte offset ${offset}`);
    return '';
  });
  if (open.length > 0) cannotParse(`Can't find end tag corresponding to start tag "${open.at(-1)}"`);
  return plain.replace(/&(?:lt|gt|amp|quot);/g, (reference) => REFERENCES[reference] ?? reference);
}

function withoutMarks(text: string): string {
  const counts = new Map<string, number>();
  const plain = text.replace(
    /\\([\s\S])|([_*~`])|([[\]()>#+\-=|{}.!])/g,
    (_found, escaped?: string, mark?: string, reserved?: string) => {
      if (escaped !== undefined) return escaped;
      if (reserved !== undefined)
        cannotParse(`Character '${reserved}' is reserved and must be escaped with the preceding '\\'`);
      counts.set(mark ?? '', (counts.get(mark ?? '') ?? 0) + 1);
      return '';
    },
  );
  for (const count of counts.values()) if (count % 2 === 1) cannotParse("Can't find end of an entity");
  return plain;
}

/** Detects the entities that Telegram marks automatically. */
export function foundEntities(text: string): JsonObject[] {
  const kinds = [
    ['hashtag', /(?<![\p{L}\p{N}_])#[\p{L}\p{N}_]+/gu],
    ['mention', /(?<![\p{L}\p{N}_])@[a-z]\w{3,31}/giu],
    ['url', /https?:\/\/[^\s]+/giu],
  ] as const;
  return kinds.flatMap(([type, pattern]) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ type, offset: index, length: found.length })),
  );
}
