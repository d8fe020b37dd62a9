import { z } from 'zod';
import type { Context } from '../../context.ts';
import { id, timestamp } from '../../http/operation.ts';
import { everyInterval } from '../../http/receive/speed.ts';
import { assertPostsLeft } from '../../plans/service.ts';
import { chooseAccounts } from '../../posts/accounts.ts';
import { contentHash } from '../../posts/content.ts';
import { createPost as create } from '../../posts/create.ts';
import { openKey, readKey, replay } from '../../posts/idempotency.ts';
import { databaseNow, findAccounts } from '../../posts/post-store.ts';
import { type When, whenToPost } from '../../posts/schedule.ts';
import type { CreatedPost, PostFields } from '../../posts/types.ts';
import { findIdentity, identityOf } from '../../posts/video-source.ts';
import { operation } from '../operation.ts';
import { FORM_ERRORS, ONE_VIDEO, POST_FORM } from './form.ts';
import { openReceiver, type PostRequest, unlessGone } from './receive.ts';

export const createPost = operation({
  id: 'createPost',
  method: 'POST',
  path: '/post',
  tag: 'Posts',
  summary: 'Create a post',
  description:
    'Uploads one video and queues it for one or more of your accounts, immediately or at a scheduled time. The response is sent when the video is stored, checked and queued; it does not wait for any platform. Form fields may come before or after the file.',
  auth: 'caller',
  writes: true,
  multipart: z.strictObject(POST_FORM).meta({ id: 'CreatePost', ...ONE_VIDEO }),
  requestHeaders: {
    'Idempotency-Key':
      'At most 255 characters of your choice. The same key with the same content within 24 hours gives the first response again and posts nothing.',
  },
  response: z.object({
    historyId: id.meta({ description: 'The id of the history entry. Also used to cancel a scheduled post.' }),
    scheduled: z.boolean(),
    date: timestamp.meta({ description: 'The scheduled time, or the current time.' }),
    result: z.array(z.object({ platformId: id, status: z.literal('PENDING') })),
  }),
  responseExample: {
    success: true,
    historyId: '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b',
    scheduled: false,
    date: '2026-08-01T09:30:00.000Z',
    result: [{ platformId: '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1c', status: 'PENDING' }],
  },
  responseHeaders: { 'Idempotent-Replayed': '`true` when this is the first response once more; else absent.' },
  errors: [
    ...FORM_ERRORS,
    'caption_too_long',
    'plan_limit_reached',
    'platform_not_connected',
    'setup_needed',
    'idempotency_in_progress',
    'idempotency_key_reused',
  ],
  handle: async (context, { caller, raw, response, signal: gone, header, setHeader }) => {
    const key = readKey(header('idempotency-key'));
    try {
      const { post, replayed } = await accept(context, { credential: caller, raw, response, signal: gone }, key);
      if (replayed) setHeader('Idempotent-Replayed', 'true');
      return post;
    } catch (error) {
      throw unlessGone(gone, error);
    }
  },
});

/** Receives, checks and creates a post. On any failure nothing is left behind. */
async function accept(
  context: Context,
  request: PostRequest,
  idempotencyKey: string | null,
): Promise<{ post: CreatedPost; replayed: boolean }> {
  const { db, config } = context;
  const { credential, signal } = request;
  const { userId } = credential;
  const receiver = await openReceiver(context, request);
  // A scheduled time that was in the future when the upload began stays valid, however long the upload takes.
  const arrivedAt = await databaseNow(db);
  const opened = idempotencyKey === null ? null : await openKey(db, userId, idempotencyKey, everyInterval);
  const finished = opened && 'finished' in opened ? opened.finished : null;
  const lease = opened && 'lease' in opened ? opened.lease : null;
  try {
    if (!finished) await assertPostsLeft(db, config.plans, userId);
    const early = await receiver.untilVideo();
    if (early && !finished) await checkFields(context, userId, early, arrivedAt).catch(receiver.abort);
    const form = await receiver.receive();
    const { fields, file } = form;
    if (finished) {
      const identity = await findIdentity(context, { userId, source: fields.source, file });
      return { post: replay(finished, contentHash(identity, fields)), replayed: true };
    }
    const when = await checkFields(context, userId, fields, arrivedAt);
    const { original, video } = await receiver.prepare(form);
    const content = contentHash(identityOf(fields.source, original), fields);
    const post = await create(context, { credential, fields, when, content, lease }, video, signal);
    return { post, replayed: false };
  } finally {
    await receiver.close();
    await lease?.end();
  }
}

/** Checks everything that needs no video, for the fields known so far. @param now ms since the epoch */
async function checkFields(
  { db, config, connectors }: Context,
  userId: string,
  { scheduled = null, platforms: ids, description, options }: Partial<PostFields>,
  now: number,
): Promise<When> {
  const when = whenToPost(scheduled, now);
  if (ids)
    chooseAccounts(
      await findAccounts(db, userId, ids),
      { ids, description, options },
      { sandbox: config.sandbox, connectors },
    );
  return when;
}
