/** Comparable text, and captions that a rule changes. */

import type { Certainty } from './certainty.ts';
import type { RuleOptions } from './facts.ts';

const EMOJI = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0f|\u20e3/gu;

/** Removes what the guide names: case, spaces, punctuation and emoji. */
function narrowForm(text: string): string {
  return text
    .toLowerCase()
    .replace(EMOJI, '')
    .replace(/[\p{P}\s]/gu, '');
}

/** Keeps only letters and digits, in one Unicode form. */
function wideForm(text: string): string {
  return text
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .replace(/[^\p{L}\p{Nd}]/gu, '');
}

/** Whether a text has neither letters nor digits, or perhaps none. */
export const isWordless = (text: string): boolean => wideForm(text) === '';

/**
 * Same comparable text: captions are equal, apart from case, spaces, punctuation and emoji. Empty equals nothing.
 *
 * The guide does not name symbols, accents or Unicode forms. Texts that differ only in those are `either`.
 */
export function sameText(a: string, b: string): Certainty {
  const narrow = [narrowForm(a), narrowForm(b)];
  const wide = [wideForm(a), wideForm(b)];
  // Text with nothing but symbols is neither clearly empty nor clearly a caption.
  if (wide[0] === '' || wide[1] === '') return narrow[0] !== '' && narrow[0] === narrow[1] ? 'either' : 'no';
  if (narrow[0] === narrow[1]) return 'yes';
  return wide[0] === wide[1] ? 'either' : 'no';
}

/** Whether one text is the beginning of the other one, for lists that cut texts at `cutAt` code points; null: never. */
export function sameBeginning(a: string, b: string, cutAt: number | null): Certainty {
  if (cutAt === null) return sameText(a, b);
  const cut = (text: string) => [...text].slice(0, cutAt).join('');
  if (cut(a) === a && cut(b) === b) return sameText(a, b);
  // The list can add an ellipsis or cut in a word, so that a difference at the end says little.
  const [shorter = '', longer = ''] = [wideForm(cut(a)), wideForm(cut(b))].sort((x, y) => x.length - y.length);
  if (shorter === '' || !longer.startsWith(shorter.slice(0, Math.max(1, shorter.length - 10)))) return 'no';
  return sameText(cut(a), cut(b)) === 'yes' ? 'yes' : 'either';
}

/** Addresses contain no mentions and no hashtags. */
const ADDRESS = /https?:\/\/\S+/gu;

/** The hashtags of a caption, in order, with `#`. */
export function hashtagsOf(text: string): string[] {
  return text.replace(ADDRESS, ' ').match(/#[\p{L}\p{N}_]+/gu) ?? [];
}

/** Hashtags without repetitions, also in another case. */
function uniqueTags(tags: readonly string[]): string[] {
  const lower = tags.map((tag) => tag.toLowerCase());
  return tags.filter((_, i) => lower.indexOf(lower[i] ?? '') === i);
}

/** The caption without mentions or hashtags, as the options say. */
function strip(text: string, options: RuleOptions['caption']): string {
  const remove = (words: string): string => {
    let rest = words;
    if (options.removeMentions) rest = rest.replace(/(?<![\p{L}\p{N}])@[\p{L}\p{N}_.@-]*[\p{L}\p{N}_]/gu, '');
    if (options.removeHashtags) rest = rest.replace(/#[\p{L}\p{N}_]+/gu, '');
    return rest;
  };
  const addresses = text.match(ADDRESS) ?? [];
  return text
    .split(ADDRESS)
    .map((words, i) => `${remove(words)}${addresses[i] ?? ''}`)
    .join('');
}

/** Spaces and line breaks at the ends of a text from a template are left out. */
const hasTemplate = ({ template, append }: RuleOptions['caption']) => template !== '{caption}' || append !== '';

/** The caption of a repost: the template, with `append` on a line of its own. */
export function renderCaption(
  options: RuleOptions['caption'],
  source: { text: string; name: string; url: string },
): string {
  const values: Record<string, string> = {
    caption: strip(source.text, options),
    hashtags: uniqueTags(hashtagsOf(source.text)).join(' '),
    source: source.name,
    url: source.url,
  };
  const fill = (template: string) =>
    template.replace(/\{\{|\}\}|\{(\w+)\}/g, (match, name: string | undefined) =>
      name === undefined ? match.slice(1) : (values[name] ?? match),
    );
  const text = options.append === '' ? fill(options.template) : `${fill(options.template)}\n${fill(options.append)}`;
  return hasTemplate(options) ? text.trim() : text;
}

const squeeze = (text: string) => text.replace(/\r\n?/g, '\n').replace(/\s+/g, ' ').trim();

/** Whether a rule leaves captions unchanged. */
export function isUnchanged(options: RuleOptions['caption']): boolean {
  return !hasTemplate(options) && !options.removeMentions && !options.removeHashtags;
}

/**
 * Whether a text is the rendered one.
 *
 * The documents do not say which spaces remain at removed words, so that spaces are compared only if nothing is
 * removed, and punctuation neither if something is. A text from a template has none at its ends.
 */
export function isRendered(actual: string, expected: string, options: RuleOptions['caption']): boolean {
  if (isUnchanged(options)) return actual.replace(/\r\n?/g, '\n') === expected.replace(/\r\n?/g, '\n');
  if (hasTemplate(options) && actual !== actual.trim()) return false;
  if (options.removeMentions || options.removeHashtags) return wideForm(actual) === wideForm(expected);
  return squeeze(actual) === squeeze(expected);
}

/** Length in code points. */
export function lengthOf(text: string): number {
  return [...text].length;
}
