/**
 * The checkpoint, the steps, and the request that posts the video. With a storage chat, the video is uploaded there
 * first, which is safe to repeat; the post is then one small request that references the file. Without one, the upload
 * itself is the post.
 */
import { DAY, MINUTE, SECOND } from '../../lib/time.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import type { CommitPlan, ConfirmResult, JsonObject, StepResult, VerifyResult, Work } from '../contract.ts';
import { defineCheckpoint } from '../kit/checkpoint.ts';
import { textAt } from '../kit/json.ts';
import { transferMs } from '../kit/requests.ts';
import { failed, proceed, readyToCommit, stillUnknown } from '../kit/results.ts';
import { ask, botIdOf, callerOf, methodUrl, movedTo, resultOf } from './api.ts';
import { codeOf, ERROR_RULES, failureOf } from './classify.ts';
import { say } from './messages.ts';
import { coverIdOf, fileIdOf, postFields, publishedFrom, storageFields, uploadBody } from './send-video.ts';

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
  const mayBeForgotten = sendKey - progress.laidDownFor >= SENDS_OF_ONE_FILE;
  if (progress.storage && (!progress.fileId || mayBeForgotten)) return storeVideo(work, progress);
  // A previous send had no effect; the channel's id may have changed.
  if (progress.preparedFor > 0 && sendKey > progress.preparedFor) return checkChannel(work, progress);
  return ready(work, progress);
}

async function ready({ session, post }: Work, progress: Progress): Promise<StepResult> {
  await session.spend('posts');
  const note = say(progress.storage ? 'publishing' : 'publishing_with_upload');
  const coverless = progress.coverless || post.sendKey > SENDS_WITH_COVER;
  return readyToCommit({ ...progress, coverless, preparedFor: post.sendKey }, note);
}

async function storeVideo(work: Work, progress: Progress): Promise<StepResult> {
  const { session, media, post } = work;
  const cover = progress.coverless ? null : await media.cover().catch(() => null);
  const response = await session.http({
    method: 'POST',
    url: methodUrl(callerOf(work.session), 'sendVideo'),
    body: uploadBody(work, storageFields(work, progress.storage), cover),
    deadlineMs: transferMs(media.bytes, { responseMs: MINUTE, bytesPerMs: 50 }),
  });
  const message = resultOf(response);
  if (message !== undefined) {
    const fileId = fileIdOf(message);
    if (!fileId) return skipStorage(progress, say('stored_as_file'));
    const coverId = coverIdOf(message);
    const note = say(coverId ? 'stored_with_cover' : 'stored');
    return proceed({ ...progress, fileId, coverId, laidDownFor: post.sendKey }, note);
  }
  const moved = movedTo(response);
  if (moved && moved !== progress.storage) return proceed({ ...progress, storage: moved }, say('storage_moved'));
  const failure = failureOf(response);
  if (['chat_not_found', 'no_rights', 'outside'].includes(codeOf(response)))
    return skipStorage(progress, failure.detail);
  if (cover && response.status === 400 && failure.kind === 'rejected')
    return proceed({ ...progress, coverless: true }, say('cover_rejected', { reason: failure.detail }));
  return failed(failure);
}

/** Falls back to posting without the storage chat. */
function skipStorage(progress: Progress, reason: Failure['detail']): StepResult {
  return proceed({ ...progress, storage: '', fileId: '', coverId: '' }, say('storage_skipped', { reason }));
}

async function checkChannel(work: Work, progress: Progress): Promise<StepResult> {
  const response = await ask(callerOf(work.session), 'getChat', { chat_id: progress.channel });
  const moved = movedTo(response);
  if (moved && moved !== progress.channel) return ready(work, { ...progress, channel: moved });
  if (resultOf(response) === undefined) return failed(failureOf(response));
  return ready(work, progress);
}

/** Deadline of a post that references a stored file. */
const POST_DEADLINE_MS = 30 * SECOND;
/** The uplink must be faster than for a storage chat, because the upload holds the account's lane. */
const TRANSFER = { responseMs: MINUTE, bytesPerMs: 100 };
/** Delay that exceeds every verification period, in ms. */
const NEVER_MS = 30 * DAY;

export const commit: CommitPlan = {
  async request(work, checkpoint) {
    const progress = progressOf(work, checkpoint);
    const fields = postFields(work, progress.channel);
    const common = { method: 'POST', url: methodUrl(callerOf(work.session), 'sendVideo'), headers: {} } as const;
    if (!progress.fileId)
      return { ...common, body: uploadBody(work, fields), deadlineMs: transferMs(work.media.bytes, TRANSFER) };
    // Uses only a cover that Telegram has already accepted, so that the cover cannot cause a rejection whose outcome is
    // unverifiable.
    const cover = progress.coverless ? '' : progress.coverId;
    const bytes = JSON.stringify({ ...fields, video: progress.fileId, ...(cover ? { cover } : {}) });
    return {
      ...common,
      body: { kind: 'bytes', type: 'application/json; charset=UTF-8', bytes },
      deadlineMs: POST_DEADLINE_MS,
    };
  },
  // Errors in the Bot API's own format count, and the two statuses that gateways return before they forward a request.
  // A gateway's page proves nothing.
  responses: [
    { status: 200, code: 'ok', proves: 'done' },
    { status: 401, code: 'unauthorized', proves: 'retryable' },
    { status: 404, code: 'not_found', proves: 'refused' },
    ...ERROR_RULES,
    { status: 413, proves: 'refused' },
    { status: 429, proves: 'retryable' },
  ],
  codeOf,
  failureOf,
  done,
};

/** The response is the only evidence, because a bot cannot read a channel. @throws TypeError if it is not a message */
function done(work: Work, _checkpoint: JsonObject, response: HttpResponse): ConfirmResult {
  const published = publishedFrom(resultOf(response), work.session.endpoints.web);
  return { then: 'posted', published, note: say('posted') };
}

/** Not needed, because the response is the post itself and no outcome stays pending. */
export async function confirm(_work: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  return { then: 'confirming', checkpoint, afterMs: MINUTE, note: say('posted_without_url'), complete: true };
}

/**
 * Always returns `stillUnknown`. The Bot API cannot read a channel's history, and a bot gets no updates about its own
 * posts. The owner has to check.
 */
export async function verify(): Promise<VerifyResult> {
  return stillUnknown(say('verification_impossible'), NEVER_MS);
}
