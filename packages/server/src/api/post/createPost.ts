import { z } from 'zod';
import { ReelayError } from '../../errors.ts';
import { assertStillAuthorized } from '../../http/authenticate.ts';
import { binary, id, operation, timestamp } from '../../http/operation.ts';
import { receiveForm } from '../../http/receive/form.ts';
import { everyInterval } from '../../http/receive/speed.ts';
import { createPost as create } from '../../posts/create.ts';
import { POST_FIELDS } from '../../posts/fields.ts';
import { readKey } from '../../posts/idempotency.ts';

const form = z
  .strictObject({
    video: binary.meta({
      description:
        'MP4, MOV, 3GP, Matroska, WebM, MPEG-TS, AVI or FLV; at most 524,288,000 bytes; 3 to 90 seconds; vertical 9:16.',
    }),
    platforms: z.string().meta({
      description:
        'The text of a JSON array of 1 to 50 ids of accounts. The field may be repeated instead, one id each.',
      examples: ['["019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b"]'],
    }),
    description: z.string().optional().meta({ description: 'At most 5,000 characters, and what each account allows.' }),
    previewTime: z
      .string()
      .optional()
      .meta({
        description: 'Seconds into the video at which the thumbnail is taken; 0 when absent.',
        examples: ['1.5'],
      }),
    scheduled: z
      .string()
      .optional()
      .meta({
        description: 'Unix time in milliseconds, at most 366 days ahead. Absent: posted at once.',
        examples: ['1785576600000'],
      }),
    options: z
      .string()
      .optional()
      .meta({
        description:
          'The text of a JSON object: by name of a platform, or by id of an account, what is asked there alone. `caption` (instead of the description) is known to all; what else a platform knows stands in its page of the documentation. An account’s own field goes before its platform’s.',
        examples: ['{"youtube":{"title":"First light"},"telegram":{"caption":"Now on air"}}'],
      }),
    fit: z.enum(['pad', 'crop']).optional().meta({
      description: 'Makes a 9:16 video out of another shape: bars around it, or its edges cut off.',
    }),
  })
  .meta({ id: 'CreatePost' });

export const createPost = operation({
  id: 'createPost',
  method: 'POST',
  path: '/post',
  tag: 'Posts',
  summary: 'Create a post',
  description:
    'Uploads one video and queues it for one or more of your accounts, at once or at a time. The answer comes when the video is stored, checked and queued; it never waits for a platform. The fields may come in any order around the file.',
  auth: 'caller',
  writes: true,
  multipart: form,
  requestHeaders: {
    'Idempotency-Key':
      'At most 255 characters of your choice. The same key with the same content within 24 hours gives the first answer again and posts nothing.',
  },
  answer: z.object({
    historyId: id.meta({ description: 'The history entry; also what cancels a scheduled post.' }),
    scheduled: z.boolean(),
    date: timestamp.meta({ description: 'The scheduled time, or now.' }),
    result: z.array(z.object({ platformId: id, status: z.literal('PENDING') })),
  }),
  answerExample: {
    success: true,
    historyId: '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b',
    scheduled: false,
    date: '2026-08-01T09:30:00.000Z',
    result: [{ platformId: '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1c', status: 'PENDING' }],
  },
  answerHeaders: { 'Idempotent-Replayed': '`true` when this is the first answer once more; else absent.' },
  errors: [
    'video_missing',
    'several_videos',
    'video_unreadable',
    'video_too_short',
    'video_too_long',
    'video_not_vertical',
    'video_too_large',
    'preview_time_out_of_range',
    'caption_too_long',
    'scheduled_in_past',
    'scheduled_too_far',
    'plan_limit_reached',
    'unknown_platform',
    'platform_not_connected',
    'setup_needed',
    'idempotency_in_progress',
    'idempotency_key_reused',
    'storage_full',
    'storage_unavailable',
  ],
  handle: async (context, { caller, raw, response, signal, header, setHeader }) => {
    const gone = signal;
    try {
      const { post, replayed } = await create(context, {
        userId: caller.userId,
        idempotencyKey: readKey(header('idempotency-key')),
        receive: (hooks) =>
          receiveForm(raw, {
            ...hooks,
            onBytes(bytes) {
              hooks.onBytes(bytes);
              context.uploads.used(bytes);
            },
            folder: context.storage.scratch,
            allowed: POST_FIELDS,
            hasher: context.uploads.hasher,
            response,
            signal: gone,
          }),
        assertStillAuthorized: (tx) => assertStillAuthorized(tx, caller),
        every: everyInterval,
        signal: gone,
      });
      if (replayed) setHeader('Idempotent-Replayed', 'true');
      return post;
    } catch (error) {
      // Nobody reads this answer; it keeps a client that went away out of the log of our own faults.
      if (gone.aborted && !(error instanceof ReelayError))
        throw new ReelayError('invalid_request', 'The upload was cut off.', { cause: error });
      throw error;
    }
  },
});
