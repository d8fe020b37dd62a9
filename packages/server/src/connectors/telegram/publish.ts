/**
 * The checkpoint, and the steps before the irreversible request. With a storage chat, the video is uploaded there first, which is safe to
 * repeat; the post is then one small request that references the file. Without one, the upload itself is the post.
 */
import { wordsOf } from '../../messages/message.ts';
import type { JsonObject, StepResult, Work } from '../contract.ts';
import { defineCheckpoint } from '../kit/checkpoint.ts';
import { textAt } from '../kit/json.ts';
import { transferMs } from '../kit/requests.ts';
import { failed, proceed, readyToCommit } from '../kit/results.ts';
import { ask, botIdOf, type Caller, methodUrl, movedTo, resultOf } from './api.ts';
import { codeOf, failureOf } from './classify.ts';
import { coverIdOf, fileIdOf, storageFields, uploadBody } from './message.ts';

/** Progress of a publish. */
const checkpoint = defineCheckpoint({
  /** Hash of the stored file. A different hash starts a new upload. */
  sha256: '',
  /** Id of the bot. A file id is valid for one bot only. */
  bot: '',
  channel: '',
  /** Id of the storage chat; "" if the video goes directly to the channel. */
  storage: '',
  /** "" until the video is in the storage chat. */
  fileId: '',
  /** File id of the cover stored with the video; "" if absent. */
  coverId: '',
  /** Telegram rejected a request with a cover. Later requests omit it. */
  coverless: false,
  /** Number of the send that the file was stored for. */
  laidDownFor: 0,
  /** Number of the last prepared send; 0 before the first. */
  preparedFor: 0,
});
type Progress = typeof checkpoint.empty;

/** Parses a checkpoint that we wrote. For another file or another bot, the publish starts over. */
export function progressOf({ session, media }: Work, stored: JsonObject | null): Progress {
  const known = checkpoint.parse(stored);
  const bot = botIdOf(textAt(session.secret, 'token'));
  const channel = session.remoteId;
  if (known.sha256 === media.sha256 && known.bot === bot) return { ...known, channel: known.channel || channel };
  const storage = textAt(session.secret, 'storage') || textAt(session.extra, 'storage');
  // A video stored in the channel itself would be a post.
  return { ...checkpoint.empty, sha256: media.sha256, bot, channel, storage: storage === channel ? '' : storage };
}

/** Number of failed sends after which the file is stored again, because its id may be the cause. */
const SENDS_OF_ONE_FILE = 3;
/** Number of sends that include the cover, because the cover may be the cause of a rejection. */
const SENDS_WITH_COVER = 2;

export function begin(work: Work): Promise<StepResult> {
  return step(work, null);
}

export async function step(work: Work, stored: JsonObject | null): Promise<StepResult> {
  const progress = progressOf(work, stored);
  const { sendKey } = work.post;
  const worn = sendKey - progress.laidDownFor >= SENDS_OF_ONE_FILE;
  if (progress.storage && (!progress.fileId || worn)) return layDown(work, progress);
  // A previous send had no effect; the channel's id may have changed.
  if (progress.preparedFor > 0 && sendKey > progress.preparedFor) return checkChannel(work, progress);
  return ready(work, progress);
}

async function ready({ session, post }: Work, progress: Progress): Promise<StepResult> {
  await session.spend('posts');
  const note = progress.storage ? 'The video is named to the channel.' : 'The video goes to the channel.';
  const coverless = progress.coverless || post.sendKey > SENDS_WITH_COVER;
  return readyToCommit({ ...progress, coverless, preparedFor: post.sendKey }, note);
}

async function layDown(work: Work, progress: Progress): Promise<StepResult> {
  const { session, media, post } = work;
  const cover = progress.coverless ? null : await media.cover().catch(() => null);
  const response = await session.http({
    method: 'POST',
    url: methodUrl(callerOf(work), 'sendVideo'),
    body: uploadBody(work, storageFields(work, progress.storage), cover),
    deadlineMs: transferMs(media.bytes, { answerMs: 60_000, bytesPerMs: 50 }),
  });
  const message = resultOf(response);
  if (message !== undefined) {
    const fileId = fileIdOf(message);
    if (!fileId) return straight(progress, 'Telegram does not take it for a video there.');
    const coverId = coverIdOf(message);
    const what = coverId ? 'The video and its picture lie' : 'The video lies';
    const stored = { ...progress, fileId, coverId, laidDownFor: post.sendKey };
    return proceed(stored, `${what} in the storage chat.`);
  }
  const moved = movedTo(response);
  if (moved && moved !== progress.storage)
    return proceed({ ...progress, storage: moved }, 'The storage chat has a new number.');
  const failure = failureOf(response);
  if (['chat_not_found', 'no_rights', 'outside'].includes(codeOf(response)))
    return straight(progress, wordsOf(failure.detail));
  if (cover && response.status === 400 && failure.kind === 'rejected') {
    const note = `Telegram refused the video with the picture of the chosen moment; it goes without one. ${wordsOf(failure.detail)}`;
    return proceed({ ...progress, coverless: true }, note);
  }
  return failed(failure);
}

/** Falls back to posting without the storage chat. */
function straight(progress: Progress, why: string): StepResult {
  const note = `The storage chat is of no use: ${why} The video goes to the channel.`;
  return proceed({ ...progress, storage: '', fileId: '', coverId: '' }, note);
}

async function checkChannel(work: Work, progress: Progress): Promise<StepResult> {
  const response = await ask(callerOf(work), 'getChat', { chat_id: progress.channel });
  const moved = movedTo(response);
  if (moved && moved !== progress.channel) return ready(work, { ...progress, channel: moved });
  if (resultOf(response) === undefined) return failed(failureOf(response));
  return ready(work, progress);
}

/** Returns the caller for the account. */
export function callerOf({ session }: Work): Caller {
  const { http, endpoints, service, secret } = session;
  return { http, endpoints, service, token: textAt(secret, 'token') };
}
