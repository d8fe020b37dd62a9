import { z } from 'zod';
import type { Context } from '../../context.ts';
import { id, timestamp } from '../../http/operation.ts';
import { pickAccounts } from '../../posts/accounts.ts';
import { checkPost as check } from '../../posts/check.ts';
import { databaseNow, findAccounts } from '../../posts/post-store.ts';
import { whenToPost } from '../../posts/schedule.ts';
import type { Reason } from '../../posts/types.ts';
import { EFFECTS } from '../../posts/types.ts';
import { operation } from '../operation.ts';
import { FORM_ERRORS, ONE_VIDEO, POST_FORM } from './form.ts';
import { openReceiver, type PostRequest, unlessGone } from './receive.ts';

const reason = z
  .object({
    effect: z.enum(EFFECTS).meta({
      description:
        '`refused`: POST /post rejects the request. `fails`: the post fails on this account. `waits`: the post waits until then. `converted`: the video is converted first. `warning`: the post may not be as intended.',
    }),
    code: z.string().meta({
      description:
        'An error code, a code from `message` of FAILED targets, `converted` if the video is converted, or what a warning is about: `film_track`, `sound_track`, `sound_unusable`, `key_frames`, `codec_tag`, `shown_differently`.',
      examples: ['caption_too_long'],
    }),
    message: z.string(),
    until: timestamp.optional().meta({ description: 'When the limit resets, or when the access ends.' }),
    excess: z.number().int().optional().meta({ description: 'Number of characters above the limit of the caption.' }),
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
  .meta({
    id: 'Rendition',
    description: 'The converted video: H.264 with this size, frame rate and maximum bit rate.',
  });

const verdict = z
  .object({
    platformId: id,
    platform: z.string(),
    username: z.string(),
    outcome: z.enum(['fits', 'converted', 'waits', 'fails', 'refused']),
    reasons: z.array(reason),
    caption: z
      .object({ length: z.number().int(), limit: z.number().int(), unit: z.enum(['characters', 'bytes']) })
      .meta({ description: 'Its length as the platform counts it. In bytes if that limit is nearer.' }),
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
  .meta({ id: 'CheckedVideo', description: 'Properties of the video, read from its content, as displayed.' });

export const checkPost = operation({
  id: 'checkPost',
  method: 'POST',
  path: '/post/check',
  tag: 'Posts',
  summary: 'Check a post',
  description:
    'Takes the same fields as POST /post and returns what would happen on each account: whether the video fits or is converted, and why; problems of the caption or the options; limits that are reached, and until when; whether the access ends earlier. Nothing is posted, stored or counted, and an upload can still be posted afterwards. A request that POST /post rejects regardless of the accounts is rejected here as well.',
  auth: 'caller',
  // It changes nothing, but the CSRF check prevents other sites from starting conversions with our users' sessions.
  writes: true,
  multipart: z.strictObject(POST_FORM).meta({ id: 'CheckPost', ...ONE_VIDEO }),
  response: z.object({
    scheduled: z.boolean(),
    date: timestamp.meta({ description: 'The scheduled time, or the current time.' }),
    video,
    reasons: z.array(reason).meta({
      description:
        'Reasons that apply to the whole post, such as a limit of the plan or the tracks of the file that are used.',
    }),
    result: z.array(verdict).meta({ description: 'One entry per account, in the order sent.' }),
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
    const shown = (reasons: readonly Reason[]) =>
      reasons.map((each) => ({ ...each, message: context.renderMessage(each.message) }));
    return {
      scheduled: when.scheduled,
      date: new Date(at).toISOString(),
      reasons: shown(checked.reasons),
      result: checked.result.map((each) => ({ ...each, reasons: shown(each.reasons) })),
      video: { bytes, container, durationMs, width, height, fps, videoCodec, audioCodec, hdr },
    };
  } finally {
    await receiver.close();
  }
}
