/** Response schemas shared by several post operations. */
import { z } from 'zod';
import { id, idText, timestamp } from '../../http/operation.ts';

export const status = z.enum(['PENDING', 'SUCCESS', 'FAILED']).meta({
  id: 'PostStatus',
  description:
    'PENDING until the platform has confirmed the post. FAILED if the post will certainly not appear, or the service has given up.',
});

export const targetCode = z
  .enum([
    'reconnect_required',
    'permission_missing',
    'setup_needed',
    'video_rejected',
    'caption_rejected',
    'policy_rejected',
    'duplicate_rejected',
    'platform_limit_reached',
    'platform_unavailable',
    'platform_error',
    'outcome_unknown',
    'plan_limit_reached',
    'late_skipped',
    'stopped',
    'internal_error',
  ])
  .meta({ id: 'TargetCode', description: 'Why a target is FAILED. New codes may be added.' });

const trouble = z
  .object({
    code: z.string().meta({ description: 'A `TargetCode`: what the target fails with if this does not end.' }),
    text: z.string().meta({ description: "The reason, with the platform's own words." }),
    platformCode: z.string().optional(),
    since: timestamp.meta({ description: 'The first failure since the last progress.' }),
    attempts: z.int().meta({ description: 'Failures since the last progress.' }),
  })
  .meta({ id: 'PostTrouble', description: 'Why a target has to be tried again.' });

const waiting = {
  nextAttemptAt: timestamp.optional().meta({ description: 'With PENDING: the time of the next attempt.' }),
  trouble: trouble.optional().meta({ description: 'With PENDING, if it failed and will be tried again.' }),
};

const outcome = {
  status,
  message: targetCode.optional().meta({ description: 'With FAILED: only the code.' }),
  detail: z.string().optional().meta({
    description: "A sentence about the outcome, with the platform's own code if there is one.",
  }),
  url: z.string().optional().meta({ description: 'With SUCCESS: the URL of the public post, if it has one.' }),
  publishedAt: timestamp.optional().meta({ description: 'With SUCCESS.' }),
};

const result = z
  .object({
    platform: z.string().meta({ description: 'The platform.', examples: ['tiktok'] }),
    usernameImage: z.string().meta({ description: 'URL of the stored copy of the profile picture, or "".' }),
    id: id.meta({ description: 'The account id.' }),
    username: z.string(),
    displayName: z.string().meta({ description: 'What people call the account; may be "".' }),
    ...outcome,
    nextAttemptAt: waiting.nextAttemptAt.meta({ description: 'With `trouble`: the time of the next attempt.' }),
    trouble: waiting.trouble,
  })
  .meta({ id: 'PostResult' });

const fields = {
  id,
  description: z.string(),
  filename: z.string().meta({ description: 'The thumbnail: `GET /media/{filename}`.' }),
  result: z.array(result).meta({ description: 'One entry per account, in the order sent.' }),
  scheduled: z.boolean().meta({ description: 'Stays true after publication.' }),
  date: timestamp.meta({ description: 'The scheduled time, or when the post was created.' }),
  repostOf: id.optional().meta({ description: 'The source post, if a rule created this post.' }),
};

export const entry = z.object(fields).meta({ id: 'HistoryEntry' });

const target = z
  .object({
    platformId: id,
    ...outcome,
    caption: z.string().optional().meta({ description: 'The caption, if it differs from the description.' }),
    options: z.record(z.string(), z.unknown()).optional().meta({ description: 'The options for this account.' }),
    rendition: z.object({ progress: z.number() }).optional().meta({
      description: 'Progress of the conversion for this platform, 0 to 1, while it runs.',
    }),
    warning: z.string().optional().meta({
      description: 'Problems that are expected at the time of the post, as far as known.',
    }),
    ...waiting,
    timeline: z.array(
      z.object({
        at: timestamp,
        event: z.string(),
        text: z.string(),
        message: z
          .object({ code: z.string(), params: z.record(z.string(), z.unknown()) })
          .optional()
          .meta({
            description:
              'Code and parameters of the text, for translations. Absent in entries from before codes were introduced.',
          }),
        platformCode: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'PostTarget', description: 'A post on one account, with its timeline.' });

export const detailed = z
  .object({
    ...fields,
    previewTime: z.number().meta({ description: 'Position of the thumbnail in the video, in seconds.' }),
    targets: z.array(target),
  })
  .meta({ id: 'Post' });

/** The accounts of a post that a request is about. */
export const chosenAccounts = z
  .strictObject({
    platforms: z.array(idText).min(1).max(50).optional().meta({ description: 'Account ids. Default: all.' }),
    code: z.string().max(100).optional().meta({ description: 'Only accounts whose `trouble` has this code.' }),
  })
  .meta({ id: 'ChosenAccounts' });
