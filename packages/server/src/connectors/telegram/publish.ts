/**
 * Steps before the irreversible request. With a storage chat, the video is uploaded there first, which is safe to
 * repeat; the post is then one small request that references the file. Without one, the upload itself is the post.
 */
import type { JsonObject, StepResult, Work } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { ask, type Caller, methodUrl, movedTo, resultOf } from './api.ts';
import { type Progress, progressOf } from './checkpoint.ts';
import { codeOf, failureOf } from './classify.ts';
import { coverIdOf, fileIdOf, storageFields, uploadBody } from './message.ts';

const ANSWER_MS = 60_000;
/** Minimum upload rate in bytes per ms. It sets the deadline of the upload. */
const SLOWEST_UPLINK = 50;
/** Number of failed sends after which the file is stored again, because its id may be the cause. */
const SENDS_OF_ONE_FILE = 3;
/** Number of sends that include the cover, because the cover may be the cause of a rejection. */
const SENDS_WITH_COVER = 2;

export function begin(work: Work): Promise<StepResult> {
  return step(work, null);
}

export async function step(work: Work, checkpoint: JsonObject | null): Promise<StepResult> {
  const progress = progressOf(work, checkpoint);
  const { sendKey } = work.post;
  const worn = sendKey - progress.laidDownFor >= SENDS_OF_ONE_FILE;
  if (progress.storage && (!progress.fileId || worn)) return layDown(work, progress);
  // A previous send had no effect; the channel's id may have changed.
  if (progress.preparedFor > 0 && sendKey > progress.preparedFor) return lookAtChannel(work, progress);
  return ready(work, progress);
}

async function ready({ session, post }: Work, progress: Progress): Promise<StepResult> {
  await session.spend('posts');
  const note = progress.storage ? 'The video is named to the channel.' : 'The video goes to the channel.';
  const coverless = progress.coverless || post.sendKey > SENDS_WITH_COVER;
  return { then: 'commit', checkpoint: { ...progress, coverless, preparedFor: post.sendKey }, note };
}

async function layDown(work: Work, progress: Progress): Promise<StepResult> {
  const { session, media, post } = work;
  const cover = progress.coverless ? null : await media.cover().catch(() => null);
  const answer = await session.http({
    method: 'POST',
    url: methodUrl(callerOf(work), 'sendVideo'),
    body: uploadBody(work, storageFields(work, progress.storage), cover),
    deadlineMs: ANSWER_MS + Math.ceil(media.bytes / SLOWEST_UPLINK),
  });
  const message = resultOf(answer);
  if (message !== undefined) {
    const fileId = fileIdOf(message);
    if (!fileId) return straight(progress, 'Telegram does not take it for a video there.');
    const coverId = coverIdOf(message);
    const checkpoint = { ...progress, fileId, coverId, laidDownFor: post.sendKey };
    const what = coverId ? 'The video and its picture lie' : 'The video lies';
    return { then: 'continue', checkpoint, note: `${what} in the storage chat.` };
  }
  const moved = movedTo(answer);
  if (moved && moved !== progress.storage)
    return {
      then: 'continue',
      checkpoint: { ...progress, storage: moved },
      note: 'The storage chat has a new number.',
    };
  const failure = failureOf(answer);
  if (['chat_not_found', 'no_rights', 'outside'].includes(codeOf(answer))) return straight(progress, failure.detail);
  if (cover && answer.status === 400 && failure.kind === 'rejected') {
    const note = `Telegram refused the video with the picture of the chosen moment; it goes without one. ${failure.detail}`;
    return { then: 'continue', checkpoint: { ...progress, coverless: true }, note };
  }
  return { then: 'failed', failure };
}

/** Falls back to posting without the storage chat. */
function straight(progress: Progress, why: string): StepResult {
  const checkpoint = { ...progress, storage: '', fileId: '', coverId: '' };
  return { then: 'continue', checkpoint, note: `The storage chat is of no use: ${why} The video goes to the channel.` };
}

async function lookAtChannel(work: Work, progress: Progress): Promise<StepResult> {
  const answer = await ask(callerOf(work), 'getChat', { chat_id: progress.channel });
  const moved = movedTo(answer);
  if (moved && moved !== progress.channel) return ready(work, { ...progress, channel: moved });
  if (resultOf(answer) === undefined) return { then: 'failed', failure: failureOf(answer) };
  return ready(work, progress);
}

/** Returns the caller for the account. */
export function callerOf({ session }: Work): Caller {
  const { http, endpoints, service, secret } = session;
  return { http, endpoints, service, token: textAt(secret, 'token') };
}
