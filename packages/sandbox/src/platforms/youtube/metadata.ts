/** Validates the body of `videos.insert`. */
import { z } from 'zod';
import { isObject } from '../../http/parameters.ts';
import type { Metadata } from './records.ts';
import { refused } from './responses.ts';

const CATEGORIES = ['1', '2', '10', '15', '17', '19', '20', '22', '23', '24', '25', '26', '27', '28', '29'];
const MAX_TITLE = 100;
const MAX_DESCRIPTION_BYTES = 5_000;
const MAX_TAGS = 500;

const TEXT = z.string().regex(/^[^<>]*$/);
const FILLED = TEXT.refine((text) => text.trim() !== '');
const BODY = z.strictObject({
  snippet: z.strictObject({
    title: FILLED.refine((text) => text.length <= MAX_TITLE),
    description: TEXT.refine((text) => Buffer.byteLength(text) <= MAX_DESCRIPTION_BYTES).default(''),
    tags: z
      .array(FILLED)
      .refine((tags) => lengthOfTags(tags) <= MAX_TAGS)
      .default([]),
    categoryId: z.enum(CATEGORIES).default('22'),
    defaultLanguage: z.unknown().optional(),
    defaultAudioLanguage: z.unknown().optional(),
  }),
  status: z.strictObject({
    privacyStatus: z.enum(['public', 'unlisted', 'private']).default('public'),
    publishAt: z.unknown().optional(),
    license: z.enum(['youtube', 'creativeCommon']).default('youtube'),
    embeddable: z.boolean().default(true),
    publicStatsViewable: z.boolean().optional(),
    selfDeclaredMadeForKids: z.boolean().optional(),
    containsSyntheticMedia: z.boolean().optional(),
  }),
});

/** The error for a property; that of any other property is `invalidVideoMetadata`. */
const ERRORS = {
  title: ['invalidTitle', 'The request metadata specifies an invalid or empty video title.'],
  description: ['invalidDescription', 'The request metadata specifies an invalid video description.'],
  tags: ['invalidTags', 'The request metadata specifies invalid video keywords.'],
  categoryId: ['invalidCategoryId', 'The snippet.categoryId property specifies an invalid category.'],
} as const;

/** Parses the body. @param parts the query's `part`, which must name every part of the body @throws Refused */
export function readMetadata(body: unknown, parts: readonly string[], now: number): Metadata {
  if (!isObject(body)) throw refused('badRequest', 'The body must be a JSON object, sent as JSON.');
  const { data, error } = BODY.safeParse({ snippet: {}, status: {}, ...body });
  const unknown =
    error?.issues.find((issue) => issue.code === 'unrecognized_keys')?.keys[0] ??
    Object.values(body).find((part) => !isObject(part));
  if (unknown !== undefined) throw refused('badRequest', `Invalid JSON payload received. Unknown name "${unknown}".`);
  if (Object.keys(body).some((part) => !parts.includes(part)))
    throw refused('badRequest', 'The body has a part that the parameter "part" does not name.');
  if (!data) {
    const name = String(error.issues[0]?.path[1]);
    const known = Object.entries(ERRORS).find(([property]) => property === name)?.[1];
    const [reason, message] = known ?? (['invalidVideoMetadata', 'The request metadata is invalid.'] as const);
    throw refused(reason, message);
  }
  const { title, description, tags, categoryId } = data.snippet;
  const { privacyStatus, publishAt, license, embeddable, selfDeclaredMadeForKids, containsSyntheticMedia } =
    data.status;
  const moment = typeof publishAt === 'string' ? Date.parse(publishAt) : Number.NaN;
  if (publishAt !== undefined && (privacyStatus !== 'private' || !(moment > now)))
    throw refused('invalidPublishAt', 'The request metadata specifies an invalid scheduled publishing time.');
  return {
    ...{ title, description, tags, categoryId, privacyStatus, license, embeddable },
    selfDeclaredMadeForKids: selfDeclaredMadeForKids ?? null,
    containsSyntheticMedia: containsSyntheticMedia ?? null,
    publishAt: typeof publishAt === 'string' ? publishAt : null,
  };
}

/** A tag with a space counts with quotes; the commas between tags also count. */
function lengthOfTags(tags: readonly string[]): number {
  return tags.reduce((sum, tag) => sum + tag.length + (/\s/.test(tag) ? 2 : 0), Math.max(0, tags.length - 1));
}
