import { z } from 'zod';
import type { Context } from '../../context.ts';
import { id, operation, timestamp } from '../../http/operation.ts';
import { pickAccounts } from '../../posts/accounts.ts';
import { checkPost as check } from '../../posts/check.ts';
import { databaseNow, findAccounts } from '../../posts/store.ts';
import { EFFECTS } from '../../posts/types.ts';
import { whenToPost } from '../../posts/when.ts';
import { FORM_ERRORS, ONE_VIDEO, POST_FORM } from './form.ts';
import { openReceiver, type PostRequest, unlessGone } from './receive.ts';

const reason = z
  .object({
    effect: z.enum(EFFECTS).meta({
      description:
        '`refused`: POST /post refuses the request. `fails`: the post fails at this account. `waits`: until then. `converted`: another file is made first. `warning`: look at it.',
    }),
    code: z.string().meta({
      description: 'As in refusals and in `message` of FAILED targets; `converted` where a file is made.',
      examples: ['caption_too_long'],
    }),
    message: z.string(),
    until: timestamp.optional().meta({ description: 'When a limit has room again, or an access ends.' }),
    excess: z.number().int().optional().meta({ description: 'By how many characters a caption is too long.' }),
  })
  .meta({ id: 'CheckReason' });

const rendition = z
  .object({
    container: z.literal('mp4'),
    video: z.union([
      z.literal('copy'),
      z.object({ width: z.number(), height: z.number(), fps: z.number(), maxRate: z.number() }),
    ]),
    audio: z.enum(['copy', 'aac', 'silence', 'none']),
    seconds: z.number().optional(),
  })
  .meta({ id: 'Rendition', description: 'What the video becomes: H.264 of that size, rate and most bits a second.' });

const verdict = z
  .object({
    platformId: id,
    platform: z.string(),
    username: z.string(),
    outcome: z.enum(['fits', 'converted', 'waits', 'fails', 'refused']),
    reasons: z.array(reason),
    rendition: rendition.optional(),
  })
  .meta({ id: 'CheckVerdict' });

const video = z
  .object({
    bytes: z.number(),
    container: z.string(),
    durationMs: z.number(),
    width: z.number(),
    height: z.number(),
    fps: z.number(),
    videoCodec: z.string(),
    audioCodec: z.string().nullable(),
    hdr: z.boolean(),
  })
  .meta({ id: 'CheckedVideo', description: 'What the file is by its own bytes, as it is displayed.' });

export const checkPost = operation({
  id: 'checkPost',
  method: 'POST',
  path: '/post/check',
  tag: 'Posts',
  summary: 'Check a post',
  description:
    'Takes what POST /post takes and tells for every account what would happen: whether the video fits or is converted and why, what is wrong with the caption or the options, which limit is used up until when, whether the access ends before. Nothing is posted, kept or used up; an upload still serves its post afterwards. A request that POST /post refuses whatever the accounts are is refused here alike.',
  auth: 'caller',
  // It changes nothing, but the CSRF check prevents other sites from starting conversions with our users' sessions.
  writes: true,
  multipart: z.strictObject(POST_FORM).meta({ id: 'CheckPost', ...ONE_VIDEO }),
  answer: z.object({
    scheduled: z.boolean(),
    date: timestamp.meta({ description: 'The scheduled time, or now.' }),
    video,
    reasons: z
      .array(reason)
      .meta({ description: 'What stands against the whole post, such as a plan that is used up.' }),
    result: z.array(verdict).meta({ description: 'One for each account, in the order sent.' }),
  }),
  errors: [...FORM_ERRORS],
  handle: async (context, { caller, raw, response, signal: gone }) => {
    try {
      return await receiveAndCheck(context, { credential: caller, raw, response, signal: gone });
    } catch (error) {
      throw unlessGone(gone, error);
    }
  },
});

/** Receives a post as if it were created, and checks it. Nothing is kept. */
async function receiveAndCheck(context: Context, request: PostRequest) {
  const { db } = context;
  const { userId } = request.credential;
  const receiver = await openReceiver(context, request);
  const arrivedAt = await databaseNow(db);
  try {
    const form = await receiver.receive();
    const { platforms: ids, description, options, scheduled } = form.fields;
    const when = whenToPost(scheduled, arrivedAt);
    const at = when.scheduled ? when.at : arrivedAt;
    const wanted = { ids, description, options };
    const accounts = pickAccounts(await findAccounts(db, userId, ids), wanted);
    const { facts } = (await receiver.prepare(form)).video;
    const checked = await check(context, { userId, accounts, wanted, facts, scheduled: when.scheduled, at });
    const { bytes, container, durationMs, width, height, fps, videoCodec, audioCodec, hdr } = facts;
    return {
      scheduled: when.scheduled,
      date: new Date(at).toISOString(),
      ...checked,
      video: { bytes, container, durationMs, width, height, fps, videoCodec, audioCodec, hdr },
    };
  } finally {
    await receiver.close();
  }
}
