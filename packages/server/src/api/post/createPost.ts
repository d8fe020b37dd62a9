import { z } from 'zod';
import { assertStillAuthorized } from '../../http/authenticate.ts';
import { id, operation, timestamp } from '../../http/operation.ts';
import { everyInterval } from '../../http/receive/speed.ts';
import { createPost as create } from '../../posts/create.ts';
import { readKey } from '../../posts/idempotency.ts';
import { FORM_ERRORS, ONE_VIDEO, POST_FORM, receiveFrom, unlessGone } from './form.ts';

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
  multipart: z.strictObject(POST_FORM).meta({ id: 'CreatePost', ...ONE_VIDEO }),
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
    ...FORM_ERRORS,
    'caption_too_long',
    'plan_limit_reached',
    'platform_not_connected',
    'setup_needed',
    'idempotency_in_progress',
    'idempotency_key_reused',
  ],
  handle: async (context, { caller, raw, response, signal, header, setHeader }) => {
    const gone = signal;
    try {
      const { post, replayed } = await create(context, {
        userId: caller.userId,
        idempotencyKey: readKey(header('idempotency-key')),
        receive: receiveFrom(context, { raw, response }, gone),
        assertStillAuthorized: (tx) => assertStillAuthorized(tx, caller),
        every: everyInterval,
        signal: gone,
      });
      if (replayed) setHeader('Idempotent-Replayed', 'true');
      return post;
    } catch (error) {
      throw unlessGone(gone, error);
    }
  },
});
