/** Renders the captions of reposts from a rule's template. Pure. */
import { codePoints, cutText } from '../../lib/text.ts';
import type { Message } from '../../messages/message.ts';
import { say } from '../../messages/rules.ts';
import { MAX_DESCRIPTION } from '../../posts/description.ts';
import { clustersOf, type Range, type Token, tokensOf } from './caption-tokens.ts';
import { foldCase } from './case-folding.ts';
import { type CaptionOptions, NO_TEMPLATE } from './rule-options.ts';
import { type Placeholder, parseTemplate } from './template.ts';

export interface CaptionContent {
  /** The caption at the source. */
  caption: string;
  /** Display form of the source account, such as its handle. */
  sourceName: string;
  /** URL of the source post; null if it has none. */
  url: string | null;
}

export interface RenderedCaption {
  /** If there is a problem, only its beginning. */
  text: string;
  /** Length of the whole text, in code points. */
  count: number;
  /** Set if the text is too long for any post. It is never cut. */
  problem: Message | null;
}

/**
 * Renders the caption of a repost. Placeholders in inserted values are not expanded. The default options return the
 * source's caption unchanged. A text made from a template has no spaces and newlines at its ends: an empty placeholder
 * would leave them.
 */
export function renderCaption(options: CaptionOptions, content: CaptionContent): RenderedCaption {
  const parts = partsOf(options, content);
  const lengths = new Map<string, number>();
  let count = 0;
  for (const part of parts) {
    const length = lengths.get(part) ?? codePoints(part);
    lengths.set(part, length);
    count += length;
  }
  if (count <= MAX_DESCRIPTION) return { text: parts.join(''), count, problem: null };
  const problem = say('caption_too_long', { count, limit: MAX_DESCRIPTION });
  return { text: beginningOf(parts), count, problem };
}

/** Maximum length of the beginning of a text that is too long, in UTF-16 units. */
const MAX_BEGINNING = 1_000;

/** Joins only what is needed: a template may repeat a long caption hundreds of times. */
function beginningOf(parts: readonly string[]): string {
  let text = '';
  for (const part of parts) {
    if (text.length >= MAX_BEGINNING) break;
    text += part.slice(0, MAX_BEGINNING + 1);
  }
  return cutText(text, MAX_BEGINNING);
}

/** The parts of the text: literals and values. */
function partsOf(options: CaptionOptions, { caption, sourceName, url }: CaptionContent): string[] {
  const values = { caption, hashtags: '', source: sourceName, url: url ?? '' };
  if (options.removeMentions || options.removeHashtags || namesHashtags(options)) {
    const clusters = clustersOf(caption);
    const tokens = tokensOf(clusters);
    const removed = tokens.filter(({ kind }) => (kind === 'mention' ? options.removeMentions : options.removeHashtags));
    if (removed.length > 0) values.caption = removeRanges(clusters, removed);
    if (namesHashtags(options)) values.hashtags = uniqueHashtags(tokens).join(' ');
  }
  const text = expand(options.template, values);
  const appended = expand(options.append, values);
  const parts = text.length === 0 || appended.length === 0 ? [...text, ...appended] : [...text, '\n', ...appended];
  return options.template === NO_TEMPLATE && options.append === '' ? parts : trimParts(parts);
}

/** Removes white space at the beginning and the end of the whole text. */
function trimParts(parts: readonly string[]): string[] {
  const first = parts.findIndex((part) => part.trim() !== '');
  const last = parts.findLastIndex((part) => part.trim() !== '');
  return parts.slice(Math.max(0, first), last + 1).map((part, at, { length }) => {
    const begun = at === 0 ? part.trimStart() : part;
    return at === length - 1 ? begun.trimEnd() : begun;
  });
}

/** Finding the hashtags of a long caption takes time. */
const namesHashtags = ({ template, append }: CaptionOptions) => `${template}${append}`.includes('{hashtags}');

/** A stored template is valid; an invalid one is used unchanged. @returns parts that are not empty */
function expand(template: string, values: Readonly<Record<Placeholder, string>>): string[] {
  const parsed = parseTemplate(template);
  const parts = 'problem' in parsed ? [template] : parsed.parts;
  return parts
    .map((part) => (typeof part === 'string' ? part : values[part.placeholder]))
    .filter((part) => part !== '');
}

/** Without repetitions in another case. */
function uniqueHashtags(tokens: readonly Token[]): string[] {
  const unique = new Map<string, string>();
  for (const { kind, text } of tokens) {
    if (kind !== 'hashtag') continue;
    const folded = foldCase(text);
    if (!unique.has(folded)) unique.set(folded, text);
  }
  return [...unique.values()];
}

const isSpace = (cluster = '') => /^[\t\p{Zs}]$/u.test(cluster);
const isNewline = (cluster = '') => /^(?:\r\n|[\n\r\u2028\u2029])$/.test(cluster);
const isOpening = (cluster = '') => /^[([{<“„«¿¡]$/.test(cluster);
const isClosing = (cluster = '') => /^[)\]}>”».,;:!?…。，、！？]$/.test(cluster);

/** Removes tokens, and the spaces and empty lines that they leave behind. All other text stays unchanged. */
function removeRanges(clusters: readonly string[], tokens: readonly Range[]): string {
  const kept: string[] = [];
  let end = 0;
  for (const { start, end: next } of tokens) {
    // No spread: a caption may have more clusters than a call may have arguments.
    for (let at = end; at < start; at++) kept.push(clusters[at] ?? '');
    end = joinAt(kept, clusters, next);
  }
  return kept.join('') + clusters.slice(end).join('');
}

/**
 * Cleans the place where something was removed.
 * @param kept the text before it; its trailing spaces are removed, and what separates it from the rest is added
 * @param end the end of what was removed
 * @returns where the rest begins
 */
function joinAt(kept: string[], clusters: readonly string[], end: number): number {
  const spacesBefore = popWhile(kept, isSpace);
  let next = end;
  while (isSpace(clusters[next])) next++;
  const beginsLine = kept.length === 0 || isNewline(kept.at(-1));
  const endsLine = next === clusters.length || isNewline(clusters[next]);
  if (beginsLine && endsLine) return joinLines(kept, clusters, next);
  if (beginsLine || endsLine) return next;
  const spacesAfter = next - end;
  const touches = spacesAfter === 0 ? isClosing(clusters[next]) : spacesBefore === 0 && isOpening(kept.at(-1));
  if (spacesBefore + spacesAfter > 0 && !touches) kept.push(' ');
  return next;
}

/** Removes a line that became empty, so that no blank line is added at its place. */
function joinLines(kept: string[], clusters: readonly string[], lineEnd: number): number {
  const isBlank = (cluster?: string) => isNewline(cluster) || isSpace(cluster);
  let rest = lineEnd;
  while (isBlank(clusters[rest])) rest++;
  if (rest === clusters.length) {
    popWhile(kept, isBlank);
    return kept.length === 0 ? rest : lineEnd;
  }
  let next = lineEnd + 1;
  const followsBlank = kept.length === 0 || isNewline(kept.at(-2));
  while (followsBlank && isNewline(clusters[next])) next++;
  return next;
}

/** Removes clusters from the end. @returns how many */
function popWhile(clusters: string[], holds: (cluster?: string) => boolean): number {
  const before = clusters.length;
  while (clusters.length > 0 && holds(clusters.at(-1))) clusters.pop();
  return before - clusters.length;
}
