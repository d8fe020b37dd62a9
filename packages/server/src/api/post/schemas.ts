/** Response schemas shared by several post operations. */
import { z } from 'zod';
import { id, timestamp } from '../../http/operation.ts';

export const status = z.enum(['PENDING', 'SUCCESS', 'FAILED']).meta({
  id: 'PostStatus',
  description:
    'PENDING until the platform has confirmed the post; FAILED when it is certain that it will not appear, or the service has stopped trying.',
});

const targetCode = z
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
    'internal_error',
  ])
  .meta({ id: 'TargetCode', description: 'Why a target is FAILED. New ones may be added.' });

const outcome = {
  status,
  message: targetCode.optional().meta({ description: 'With FAILED: the code alone.' }),
  detail: z.string().optional().meta({
    description: "A sentence about the outcome, with the platform's own code where it gave one.",
  }),
  url: z.string().optional().meta({ description: 'With SUCCESS: the public post, where it has an address.' }),
  publishedAt: timestamp.optional().meta({ description: 'With SUCCESS.' }),
};

const result = z
  .object({
    platform: z.string().meta({ description: 'Name of the social network.', examples: ['tiktok'] }),
    usernameImage: z.string().meta({ description: 'Address of our copy of the profile picture, or "".' }),
    id: id.meta({ description: 'The account.' }),
    username: z.string(),
    ...outcome,
  })
  .meta({ id: 'PostResult' });

const fields = {
  id,
  description: z.string(),
  filename: z.string().meta({ description: 'The thumbnail: `GET /media/{filename}`.' }),
  result: z.array(result).meta({ description: 'One for each account, in the order in which they were sent.' }),
  scheduled: z.boolean().meta({ description: 'Stays true after publication.' }),
  date: timestamp.meta({ description: 'The scheduled time, or when the post was created.' }),
  repostOf: id.optional().meta({ description: 'The post that a rule reposted here.' }),
};

export const entry = z.object(fields).meta({ id: 'HistoryEntry' });

const target = z
  .object({
    platformId: id,
    ...outcome,
    caption: z.string().optional().meta({ description: 'Where it has another than the description.' }),
    options: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'What was asked of its platform alone.' }),
    rendition: z.object({ progress: z.number() }).optional().meta({
      description: 'While a file is made that this platform takes: how much of it is made, 0 to 1.',
    }),
    warning: z.string().optional().meta({
      description: 'What will stand in the way when its time comes, as far as that is known.',
    }),
    nextAttemptAt: timestamp.optional().meta({ description: 'With PENDING: when something happens next.' }),
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
              'Code and parameters of the text, for other languages. Absent in entries that are older than messages with codes.',
          }),
        platformCode: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'PostTarget', description: 'A post on one account, with everything that happened to it.' });

export const detailed = z.object({ ...fields, targets: z.array(target) }).meta({ id: 'Post' });
