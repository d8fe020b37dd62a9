/** Options of repost rules: the request schema, the stored form, and the defaults. Pure. */
import { z } from 'zod';
import { codePoints, cutText } from '../../lib/text.ts';
import { isZone } from '../../local-time/zones.ts';
import { FITS } from '../../media/types.ts';
import { fieldProblem, issue, issueOf } from '../../messages/fields.ts';
import { MAX_DESCRIPTION } from '../../posts/description.ts';
import { parseTemplate } from './template.ts';

const MAX_ACCOUNTS = 50;
const MAX_WORDS = 50;
/** In UTF-16 units. */
const MAX_WORD = 200;
const MAX_SECONDS = 86_400;
const MAX_ITEMS = 1_000;
/** In UTF-16 units. */
const MAX_ZONE = 100;

const integer = (min: number, max: number) => z.int().min(min).max(max);

/** The name of an IANA time zone. */
export const zoneName = z
  .string()
  .refine((name) => name.length <= MAX_ZONE && isZone(name), {
    error: ({ input }) => issue('unknown_zone', { zone: cutText(String(input), MAX_ZONE) }),
  })
  .meta({ examples: ['Europe/Berlin'] });

export const timeOfDay = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, issue('not_time'))
  .meta({ examples: ['22:00'] });

const quietHours = z
  .strictObject({
    from: timeOfDay,
    to: timeOfDay,
    zone: zoneName.nullish().meta({ description: 'Default: `zone` of the rule.' }),
  })
  .refine(({ from, to }) => from !== to, issue('no_duration'));

/** Rejects texts of more than 5,000 code points and invalid templates. See also `caption-limits.ts`. */
const template = z.string().superRefine((text, context) => {
  const count = codePoints(text);
  const parsed = parseTemplate(text);
  const problem =
    count > MAX_DESCRIPTION
      ? fieldProblem('too_long', { limit: MAX_DESCRIPTION })
      : 'problem' in parsed
        ? parsed.problem
        : null;
  if (problem) context.addIssue({ code: 'custom', message: issueOf(problem) });
});

const words = z
  .array(
    z
      .string()
      .max(MAX_WORD)
      .refine((word) => word.trim() !== '', issue('empty')),
  )
  .max(MAX_WORDS);

const HASHTAG = /^[#＃]?[\p{L}\p{N}_][\p{L}\p{N}\p{M}_\u200c\u200d]{0,199}$/u;

const hashtags = z.array(z.string().refine((tag) => HASHTAG.test(tag), issue('not_hashtag'))).max(MAX_WORDS);

const seconds = z.number().min(0).max(MAX_SECONDS);

const filters = z
  .strictObject({
    contains: words.nullish().meta({ description: 'The caption must contain one of these, in any case.' }),
    excludes: words.nullish().meta({ description: 'The caption must contain none of these.' }),
    hashtags: hashtags.nullish().meta({ description: 'The caption must have one of these hashtags.' }),
    minSeconds: seconds.nullish(),
    maxSeconds: seconds.nullish(),
  })
  .refine(({ minSeconds, maxSeconds }) => (minSeconds ?? 0) <= (maxSeconds ?? MAX_SECONDS), {
    path: ['maxSeconds'],
    error: issue('below_minimum'),
  });

const caption = z.strictObject({
  template: template.nullish().meta({
    description:
      'Default: `{caption}`. Placeholders: `{caption}`, `{hashtags}`, `{source}`, `{url}`, at most 10 of them. `{{` is a brace.',
    examples: ['{caption}\n\nFrom {source}'],
  }),
  removeMentions: z.boolean().nullish().meta({ description: 'Removes mentions from `{caption}`.' }),
  removeHashtags: z.boolean().nullish().meta({ description: 'Removes hashtags from `{caption}`.' }),
  append: template.nullish().meta({ description: 'Added on a line of its own. At most 10 placeholders are allowed.' }),
});

const backCatalog = z.strictObject({
  order: z
    .enum(['oldest', 'newest'])
    .nullish()
    .meta({ description: 'Which of the items come first. Default: oldest.' }),
  perDay: integer(1, 50).nullish().meta({ description: 'Maximum of these reposts per day. Default: 1.' }),
  items: z
    .array(z.string().min(1).max(MAX_WORD))
    .max(MAX_ITEMS)
    .meta({ description: 'The ids of the items to repost.' }),
});

/** Request schema for adding and changing a rule. null means the default. */
export const ruleOptions = z
  .strictObject({
    delayMinutes: integer(0, 10_080).nullish().meta({ description: 'Delay of each repost. Default: 0.' }),
    jitterMinutes: integer(0, 1_440).nullish().meta({
      description: 'Maximum random additional delay. Default: 0.',
    }),
    quietHours: quietHours.nullish().meta({
      description:
        'Reposts that are due in these hours wait until their end. If a clock change repeats a time, the first counts. If it skips one, the moment after the gap counts. Default: none.',
    }),
    maxPerDay: integer(1, 1_000).nullish().meta({
      description:
        'Maximum reposts per day; more wait for the next days, the oldest first. What waits longer than 3 days is skipped. Default: no limit for posts made through this service, 25 for others.',
    }),
    zone: zoneName.nullish().meta({ description: 'Time zone of the days. Default: UTC.' }),
    privacy: z
      .record(z.string().min(1).max(MAX_WORD), z.string().min(1).max(MAX_WORD))
      .refine((byAccount) => Object.keys(byAccount).length <= MAX_ACCOUNTS, {
        error: issue('too_many', { limit: MAX_ACCOUNTS }),
      })
      .nullish()
      .meta({ description: 'Privacy of the reposts, by destination account. Default: the setting of the account.' }),
    caption: caption.nullish().meta({ description: 'How the caption is changed. Default: unchanged.' }),
    filters: filters.nullish().meta({ description: 'Which content is reposted. Default: all.' }),
    fit: z.enum(FITS).nullish().meta({
      description: 'How videos that are not 9:16 are converted. Default: they are skipped.',
    }),
    backCatalog: backCatalog.nullish().meta({ description: 'Older content of the source to repost. Default: none.' }),
  })
  .meta({ id: 'RuleOptions', description: 'Options of a repost rule. In changes, null resets an option.' });

/** The options in a request. */
export type GivenOptions = z.output<typeof ruleOptions>;

/** The stored form: only the options that were set. Plain JSON. */
export type StoredOptions = { readonly [Name in keyof GivenOptions]?: NonNullable<GivenOptions[Name]> };

/** Response schema: all options, with defaults. */
export const shownOptions = z
  .object({
    delayMinutes: z.int(),
    jitterMinutes: z.int().meta({ description: 'Maximum random additional delay.' }),
    quietHours: z
      .object({
        from: z.string().meta({ description: 'Local time.', examples: ['22:00'] }),
        to: z
          .string()
          .meta({ description: 'Local time; on the next day if it is before `from`.', examples: ['07:00'] }),
        zone: z.string(),
      })
      .nullable(),
    maxPerDay: z.int().nullable().meta({
      description:
        'null: no limit for posts made through this service, 25 for others. What waits longer than 3 days is skipped.',
    }),
    zone: z.string().meta({ description: 'Time zone of the days.' }),
    privacy: z.record(z.string(), z.string()).meta({ description: 'By destination account.' }),
    caption: z.object({
      template: z.string(),
      removeMentions: z.boolean(),
      removeHashtags: z.boolean(),
      append: z.string().meta({ description: 'Added on a line of its own.' }),
    }),
    filters: z
      .object({
        contains: z.array(z.string()),
        excludes: z.array(z.string()),
        hashtags: z.array(z.string()),
        minSeconds: z.number().nullable(),
        maxSeconds: z.number().nullable(),
      })
      .meta({ description: 'Empty lists and null are no condition.' }),
    fit: z.enum(FITS).nullable(),
    backCatalog: z
      .object({ order: z.enum(['oldest', 'newest']), perDay: z.int(), items: z.array(z.string()) })
      .nullable(),
  })
  .meta({ id: 'RepostOptions', description: 'All options of a repost rule, with defaults.' });

export type RuleOptions = z.output<typeof shownOptions>;
export type CaptionOptions = RuleOptions['caption'];
export type Filters = RuleOptions['filters'];

/** Merges options by top-level field. null resets a field to its default. @returns the stored form */
export function mergeOptions(stored: StoredOptions, given: GivenOptions): StoredOptions {
  const merged = Object.entries({ ...stored, ...given }).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(merged) as StoredOptions;
}

/** Leaves the caption unchanged. */
export const NO_TEMPLATE = '{caption}';

/** Fills in the defaults. `{}` is a rule that reposts everything at once and unchanged. */
export function completeOptions(stored: StoredOptions): RuleOptions {
  const { quietHours: quiet, caption: text, filters: conditions, backCatalog: older } = stored;
  const days = stored.zone ?? 'UTC';
  return {
    delayMinutes: stored.delayMinutes ?? 0,
    jitterMinutes: stored.jitterMinutes ?? 0,
    quietHours: quiet ? { from: quiet.from, to: quiet.to, zone: quiet.zone ?? days } : null,
    maxPerDay: stored.maxPerDay ?? null,
    zone: days,
    privacy: stored.privacy ?? {},
    caption: {
      template: text?.template ?? NO_TEMPLATE,
      removeMentions: text?.removeMentions ?? false,
      removeHashtags: text?.removeHashtags ?? false,
      append: text?.append ?? '',
    },
    filters: {
      contains: conditions?.contains ?? [],
      excludes: conditions?.excludes ?? [],
      hashtags: conditions?.hashtags ?? [],
      minSeconds: conditions?.minSeconds ?? null,
      maxSeconds: conditions?.maxSeconds ?? null,
    },
    fit: stored.fit ?? null,
    backCatalog: older ? { order: older.order ?? 'oldest', perDay: older.perDay ?? 1, items: older.items } : null,
  };
}

/** Limits the damage of a rule that reposts what others can post: two mirrored accounts, a hijacked source. */
const FOREIGN_PER_DAY = 25;

/** Maximum reposts per day; null: no limit. @param origin `foreign`: posted with another client */
export function dailyLimit({ maxPerDay }: Pick<RuleOptions, 'maxPerDay'>, origin: 'own' | 'foreign'): number | null {
  return maxPerDay ?? (origin === 'foreign' ? FOREIGN_PER_DAY : null);
}
