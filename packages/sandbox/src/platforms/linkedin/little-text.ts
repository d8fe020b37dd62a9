/**
 * Renders "little text" as readers see it. A backslash escapes a reserved character, `#word` and `{hashtag|\#|word}`
 * are hashtags, and `@[Name](urn)` is a mention. An unescaped reserved character silently truncates the text.
 */
const RESERVED = '\\|{}@[]()<>#*_~';
const HASHTAG = /^#[\p{L}\p{N}]*\p{L}[\p{L}\p{N}]*/u;
const TEMPLATE = /^\{hashtag\|\\#\|([\p{L}\p{N}]+)\}/u;
const MENTION = /^@\[((?:[^\\[\]]|\\.)+)\]\(urn:li:(?:person|organization):[A-Za-z0-9_-]+\)/u;

/** @param text the text as sent by the client */
export function readLittleText(text: string): string {
  let seen = '';
  for (let index = 0; index < text.length; ) {
    const rest = text.slice(index);
    const char = text[index] ?? '';
    if (!RESERVED.includes(char)) {
      seen += char;
      index += 1;
      continue;
    }
    const escaped = char === '\\' ? text[index + 1] : undefined;
    if (escaped !== undefined && RESERVED.includes(escaped)) {
      seen += escaped;
      index += 2;
      continue;
    }
    const tag = HASHTAG.exec(rest)?.[0];
    const element = TEMPLATE.exec(rest) ?? MENTION.exec(rest);
    if (tag !== undefined) seen += tag;
    else if (element) seen += char === '{' ? `#${element[1]}` : readLittleText(element[1] ?? '');
    else return seen;
    index += tag?.length ?? element?.[0].length ?? 1;
  }
  return seen;
}

/** Writes a text as LinkedIn returns those of its own apps: escaped, with hashtags as templates. */
export function writeLittleText(text: string): string {
  return text.replace(
    /(?<![\p{L}\p{N}#])#(?=\p{N}*\p{L})([\p{L}\p{N}]+)|[\\|{}@[\]()<>#*_~]/gu,
    (found, tag?: string) => (tag === undefined ? `\\${found}` : `{hashtag|\\#|${tag}}`),
  );
}
