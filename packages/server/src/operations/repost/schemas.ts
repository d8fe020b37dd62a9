/** Schemas shared by several repost operations. */
import { z } from 'zod';
import { id, timestamp } from '../../http/operation.ts';

import { shownOptions } from '../../reposts/options/rule-options.ts';

/** In UTF-16 units; more than any platform allows. */
const MAX_TEXT = 100_000;
/** In UTF-16 units. */
const MAX_URL = 2_000;

export const account = z
  .object({
    id,
    platform: z.string(),
    usernameImage: z.string(),
    username: z.string(),
    status: z.string().meta({ description: 'As in the list of accounts.' }),
    displayName: z.string(),
  })
  .meta({ id: 'RepostAccount' });

/** A message for people, with a stable code. */
export const note = z
  .object({ code: z.string().meta({ description: 'Stable. New codes may be added.' }), text: z.string() })
  .meta({ id: 'RepostNote' });

export const watch = z
  .object({
    mode: z.enum(['own', 'announce', 'files']).meta({
      description:
        'Which posts on the source are reposted. `own`: those made through this service. `announce`: the same; others are listed, but the platform does not give their files. `files`: all.',
    }),
    text: z.string().meta({ description: 'What the source cannot deliver; "" if nothing.' }),
    checkedAt: timestamp.nullable().meta({ description: 'Start of the last complete check.' }),
    nextCheckAt: timestamp.nullable(),
    problem: z.string().nullable().meta({ description: 'Why new posts are not read; null if they are.' }),
    readsToday: z.int().optional().meta({
      description:
        'Charged reads of the service at this platform today (UTC), with announcements, if the platform charges for reads.',
    }),
    readLimit: z.int().optional().meta({ description: 'The daily limit of charged reads.' }),
    costToday: z.number().optional().meta({ description: 'Cost of these reads in US dollars.' }),
  })
  .meta({ id: 'RepostWatch', description: 'What the source shows of posts made with other clients.' });

export const rule = z
  .object({
    id,
    from: account,
    to: z.array(account),
    date: timestamp.meta({ description: 'When the rule was added.' }),
    isPaused: z.boolean(),
    between: z.enum(['skip', 'keep']).optional().meta({
      description: 'Only of a paused rule: whether posts on the source are skipped, or wait until it is resumed.',
    }),
    options: shownOptions,
    dailyLimits: z.object({ own: z.int().nullable(), foreign: z.int().nullable() }).meta({
      description:
        'Maximum reposts per day of posts made through this service, and of others; null: no limit. What waits longer than 3 days for the limit is skipped.',
    }),
    watch,
  })
  .meta({ id: 'Repost' });

/** What is known of a piece of content on the source. */
const contentFields = {
  publishedAt: timestamp.nullable(),
  origin: z.enum(['own', 'foreign']).meta({
    description: '`own`: posted through this service. `foreign`: found on the account.',
  }),
  caption: z.string().meta({ description: 'The first 200 characters.' }),
  url: z.string().nullable().meta({ description: 'The post on the source.' }),
  durationMs: z.number().nullable(),
};

const decisionFields = {
  reason: z.string().meta({
    description: 'Stable code of what happened, or why the item waits or was skipped. New codes may be added.',
  }),
  text: z.string().meta({ description: 'The same as a sentence.' }),
};

export const activityItem = z
  .object({
    id,
    seenAt: timestamp,
    ...contentFields,
    status: z.enum(['reposted', 'waiting', 'skipped']),
    ...decisionFields,
    waitingUntil: timestamp.optional().meta({ description: 'With waiting, if it is known.' }),
    postId: id.optional().meta({ description: 'The repost in the history, while it exists.' }),
    repostable: z.boolean().meta({ description: 'Whether it can be reposted by hand, or released early.' }),
    sourceDeletedAt: timestamp.optional().meta({
      description: 'When it was noticed that the source no longer has the post. Its reposts remain.',
    }),
    sourceEditedAt: timestamp.optional().meta({
      description: 'When it was noticed that the caption on the source changed after the repost, which remains.',
    }),
  })
  .meta({ id: 'RepostActivity' });

export const previewItem = z
  .object({
    ...contentFields,
    status: z.enum(['repost', 'wait', 'skip']),
    ...decisionFields,
    repostCaption: z.string().optional().meta({ description: 'The caption of the repost, unless it is skipped.' }),
  })
  .meta({ id: 'RepostPreviewItem' });

/** What a preview of captions is made of. */
export const previewText = {
  text: z.string().max(MAX_TEXT).optional().meta({
    description: 'A caption on the source, of at most 5,000 characters. Default: that of the newest item.',
  }),
  url: z.string().max(MAX_URL).optional().meta({ description: 'The URL of the post on the source.' }),
};

export const preview = z
  .object({
    warnings: z
      .array(note)
      .meta({ description: 'Why the rule would be rejected, or would repost less than expected.' }),
    watch,
    items: z.array(previewItem).meta({
      description:
        'The last 20 known items of the source, newest first, and what the rule would do if they were posted now.',
    }),
    captions: z
      .array(
        z.object({
          platformId: id.meta({ description: 'The destination.' }),
          text: z.string().meta({ description: 'Only the beginning if no post may have it.' }),
          count: z
            .int()
            .meta({ description: 'Length in the units of the platform; in characters if no post may have it.' }),
          limit: z.int(),
          problem: z
            .string()
            .nullable()
            .meta({ description: 'Why a repost with this text fails; null if it does not.' }),
        }),
      )
      .meta({ description: 'The caption on each destination, of the given text or of the newest item.' }),
  })
  .meta({ id: 'RepostPreview' });
