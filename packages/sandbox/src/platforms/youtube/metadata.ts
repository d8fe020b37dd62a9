/** Validates the body of `videos.insert`. */
import { isObject } from '../../http/parameters.ts';
import { at } from '../../json.ts';
import { refused } from './answers.ts';
import type { Metadata } from './records.ts';

const SNIPPET = ['title', 'description', 'tags', 'categoryId', 'defaultLanguage', 'defaultAudioLanguage'];
const STATUS = [
  'privacyStatus',
  'publishAt',
  'license',
  'embeddable',
  'publicStatsViewable',
  'selfDeclaredMadeForKids',
  'containsSyntheticMedia',
];
const MAX_TITLE = 100;
const MAX_DESCRIPTION_BYTES = 5_000;
const MAX_TAGS = 500;
const CATEGORIES = ['1', '2', '10', '15', '17', '19', '20', '22', '23', '24', '25', '26', '27', '28', '29'];

/** Parses the body. @param parts the query's `part`, which must name every part of the body @throws Refused */
export function readMetadata(body: unknown, parts: readonly string[], now: number): Metadata {
  if (!isObject(body)) throw refused('badRequest', 'The body must be a JSON object, sent as JSON.');
  const stray =
    unknownName(body, ['snippet', 'status']) ??
    unknownName(at(body, 'snippet'), SNIPPET) ??
    unknownName(at(body, 'status'), STATUS);
  if (stray !== null) throw refused('badRequest', `Invalid JSON payload received. Unknown name "${stray}".`);
  if (Object.keys(body).some((part) => !parts.includes(part)))
    throw refused('badRequest', 'The body has a part that the parameter "part" does not name.');
  checkSnippet(at(body, 'snippet'));
  checkStatus(at(body, 'status'), now);
  return metadataOf(body);
}

function metadataOf(body: object): Metadata {
  const text = (fallback: string, ...path: string[]) => {
    const found = at(body, ...path);
    return typeof found === 'string' ? found : fallback;
  };
  const flag = (name: string) => {
    const found = at(body, 'status', name);
    return typeof found === 'boolean' ? found : null;
  };
  const tags = at(body, 'snippet', 'tags');
  return {
    title: text('', 'snippet', 'title'),
    description: text('', 'snippet', 'description'),
    tags: Array.isArray(tags) ? tags.map(String) : [],
    categoryId: text('22', 'snippet', 'categoryId'),
    privacyStatus: text('public', 'status', 'privacyStatus'),
    selfDeclaredMadeForKids: flag('selfDeclaredMadeForKids'),
    containsSyntheticMedia: flag('containsSyntheticMedia'),
    embeddable: flag('embeddable') ?? true,
    license: text('youtube', 'status', 'license'),
    publishAt: text('', 'status', 'publishAt') || null,
  };
}

function checkSnippet(snippet: unknown): void {
  const { title, description = '', tags = [], categoryId = '22' } = (snippet ?? {}) as Record<string, unknown>;
  const isBare = (value: unknown): value is string => typeof value === 'string' && !/[<>]/.test(value);
  if (!isBare(title) || title.trim() === '' || title.length > MAX_TITLE)
    throw refused('invalidTitle', 'The request metadata specifies an invalid or empty video title.');
  if (!isBare(description) || Buffer.byteLength(description) > MAX_DESCRIPTION_BYTES)
    throw refused('invalidDescription', 'The request metadata specifies an invalid video description.');
  const areTexts = Array.isArray(tags) && tags.every((tag) => isBare(tag) && tag.trim() !== '');
  if (!areTexts || lengthOfTags(tags) > MAX_TAGS)
    throw refused('invalidTags', 'The request metadata specifies invalid video keywords.');
  if (typeof categoryId !== 'string' || !CATEGORIES.includes(categoryId))
    throw refused('invalidCategoryId', 'The snippet.categoryId property specifies an invalid category.');
}

function checkStatus(status: unknown, now: number): void {
  if (status === undefined) return;
  const { privacyStatus = 'public', publishAt, license = 'youtube', ...flags } = status as Record<string, unknown>;
  const isValid =
    ['public', 'unlisted', 'private'].includes(String(privacyStatus)) &&
    ['youtube', 'creativeCommon'].includes(String(license)) &&
    Object.values(flags).every((flag) => typeof flag === 'boolean');
  if (!isValid) throw refused('invalidVideoMetadata', 'The request metadata is invalid.');
  if (publishAt === undefined) return;
  const moment = typeof publishAt === 'string' ? Date.parse(publishAt) : Number.NaN;
  if (privacyStatus !== 'private' || !(moment > now))
    throw refused('invalidPublishAt', 'The request metadata specifies an invalid scheduled publishing time.');
}

/** A tag with a space counts with quotes; the commas between tags also count. */
function lengthOfTags(tags: readonly string[]): number {
  return tags.reduce((sum, tag) => sum + tag.length + (/\s/.test(tag) ? 2 : 0), Math.max(0, tags.length - 1));
}

function unknownName(value: unknown, known: readonly string[]): string | null {
  if (value === undefined) return null;
  if (!isObject(value)) return String(value);
  return Object.keys(value).find((name) => !known.includes(name)) ?? null;
}
