/**
 * Captions: parses formatting into entities, with offsets in UTF-16 units, and detects hashtags, mentions, and URLs.
 */
import type { JsonObject } from '../../json.ts';
import { refuse } from './responses.ts';

export interface Entity extends JsonObject {
  type: string;
  offset: number;
  length: number;
}

export interface Caption {
  text: string;
  /** Those of the formatting, by offset. */
  entities: Entity[];
}

const TAGS: Readonly<Record<string, string>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  a: 'text_link',
  code: 'code',
  pre: 'pre',
  span: 'spoiler',
  'tg-spoiler': 'spoiler',
  'tg-emoji': 'custom_emoji',
  blockquote: 'blockquote',
};
const MARKS: Readonly<Record<string, string>> = {
  '*': 'bold',
  _: 'italic',
  __: 'underline',
  '~': 'strikethrough',
  '||': 'spoiler',
  '`': 'code',
  '```': 'pre',
};
const REFERENCES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"' };

/** Returns the caption without markup. @param given.entities JSON text of `caption_entities` @throws Refused */
export function parseCaption(given: { text: string; parseMode: string; entities: string }): Caption {
  return trimmed(formattedCaption(given));
}

function formattedCaption({ text, parseMode, entities }: Parameters<typeof parseCaption>[0]): Caption {
  switch (parseMode.toLowerCase()) {
    case '':
      return { text, entities: entities ? givenEntities(entities, text) : [] };
    case 'html':
      return withoutTags(text);
    case 'markdownv2':
      return withoutMarks(text);
    default:
      return refuse(400, 'Bad Request: unsupported parse_mode');
  }
}

/** Removes space around the text, and moves the entities with it. */
function trimmed({ text, entities }: Caption): Caption {
  const bare = text.trim();
  const before = text.length - text.trimStart().length;
  const moved = entities.map((entity) => {
    const from = Math.max(0, entity.offset - before);
    const to = Math.min(bare.length, entity.offset + entity.length - before);
    return { ...entity, offset: from, length: to - from };
  });
  const inOrder = moved.filter(({ length }) => length > 0).sort((one, other) => one.offset - other.offset);
  return { text: bare, entities: inOrder };
}

function cannotParse(why: string): never {
  return refuse(400, `Bad Request: can't parse entities: ${why}`);
}

function givenEntities(json: string, text: string): Entity[] {
  let entities: unknown;
  try {
    entities = JSON.parse(json);
  } catch {
    cannotParse("can't parse JSON");
  }
  if (!Array.isArray(entities)) cannotParse('expected an Array of MessageEntity');
  for (const { type, offset, length } of entities as Partial<Entity>[]) {
    const fits =
      typeof offset === 'number' && typeof length === 'number' && offset >= 0 && offset + length <= text.length;
    if (typeof type !== 'string' || !fits) cannotParse('an entity does not fit the text');
  }
  return entities as Entity[];
}

function withoutTags(text: string): Caption {
  const open: { name: string; entity: Entity }[] = [];
  const entities: Entity[] = [];
  let plain = '';
  let end = 0;
  const add = (to: number) => {
    plain += text.slice(end, to).replace(/&(?:lt|gt|amp|quot);/g, (reference) => REFERENCES[reference] ?? reference);
  };
  for (const { 0: tag, 1: closing, 2: given = '', index } of text.matchAll(/<(\/?)([a-z-]*)[^>]*>?/gi)) {
    add(index);
    end = index + tag.length;
    const name = given.toLowerCase();
    const type = TAGS[name];
    if (!tag.endsWith('>') || type === undefined)
      cannotParse(`Unsupported start tag "${given}" at byte offset ${index}`);
    if (closing === '') {
      const url = /\shref="([^"]*)"/i.exec(tag)?.[1];
      open.push({ name, entity: { type, offset: plain.length, length: 0, ...(url === undefined ? {} : { url }) } });
      continue;
    }
    const last = open.pop();
    if (last?.name !== name) cannotParse(`Unexpected end tag at byte offset ${index}`);
    entities.push({ ...last.entity, length: plain.length - last.entity.offset });
  }
  if (open.length > 0) cannotParse(`Can't find end tag corresponding to start tag "${open.at(-1)?.name}"`);
  add(text.length);
  return { text: plain, entities };
}

function withoutMarks(text: string): Caption {
  const open = new Map<string, number>();
  const entities: Entity[] = [];
  let link = -1;
  let plain = '';
  const pattern = /\\([\s\S])|(\|\||__|```|[_*~`])|(\[)|\]\(((?:\\[\s\S]|[^)\\])*)\)|([[\]()>#+\-=|{}.!])|[\s\S]/gu;
  for (const { 0: found, 1: escaped, 2: mark, 3: bracket, 4: url, 5: reserved } of text.matchAll(pattern)) {
    if (mark !== undefined) {
      const from = open.get(mark);
      if (from === undefined) open.set(mark, plain.length);
      else {
        entities.push({ type: MARKS[mark] ?? '', offset: from, length: plain.length - from });
        open.delete(mark);
      }
    } else if (bracket !== undefined && link < 0) link = plain.length;
    else if (url !== undefined && link >= 0) {
      entities.push({ type: 'text_link', offset: link, length: plain.length - link, url: url.replace(/\\/g, '') });
      link = -1;
    } else if (reserved !== undefined || bracket !== undefined || url !== undefined)
      cannotParse(`Character '${found.charAt(0)}' is reserved and must be escaped with the preceding '\\'`);
    else plain += escaped ?? found;
  }
  if (open.size > 0 || link >= 0) cannotParse("Can't find end of an entity");
  return { text: plain, entities };
}

/** Returns the entities of a message: those of its formatting, and those that Telegram detects. */
export function entitiesOf({ text, entities }: Caption): Entity[] {
  const kinds = [
    ['hashtag', /(?<![\p{L}\p{N}_])#[\p{L}\p{N}_]+/gu],
    ['mention', /(?<![\p{L}\p{N}_])@[a-z]\w{3,31}/giu],
    ['url', /https?:\/\/[^\s]+/giu],
  ] as const;
  const detected = kinds.flatMap(([type, pattern]) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ type, offset: index, length: found.length })),
  );
  return [...entities, ...detected];
}
