/**
 * The steps up to the irreversible request: query the account's limits, open an upload, send all chunks but the last.
 *
 * A new upload is opened only if the current one cannot have posted: its URL expired with bytes missing, or TikTok
 * reported FAILED.
 */
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/time.ts';
import { limitMessage } from '../../messages/media.ts';
import type { Message } from '../../messages/message.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { CommitPlan, JsonObject, StepResult, Work } from '../contract.ts';
import { type Delays, delayAfter } from '../kit/delays.ts';
import { rejected, setup, transient } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import { failed, proceed, readyToCommit, verifyFirst } from '../kit/results.ts';
import { call, readCreator } from './api.ts';
import { failureOf } from './classify.ts';
import { allows, type Interaction, optionsOf, privacyOf } from './limits.ts';
import { say } from './messages.ts';
import {
  type Chunk,
  chunkRequest,
  chunkWith,
  isExpired,
  planChunks,
  planOf,
  reportedBytes,
  UNOPENED,
  type Upload,
  uploadOf,
} from './upload.ts';
import { confirmLater, findPublic, pollStatus } from './verify.ts';

/**
 * How long after the last chunk was sent a new upload may begin, ms. TikTok does not document whether its byte count is
 * current while it processes a video, which takes minutes.
 */
const LATE_EXECUTION_MS = HOUR;
/** How long new uploads may be started, ms. After that the failure remains until the post's deadline ends it. */
const RESTART_FOR_MS = DAY;
/** Delays before the first upload and before each further one, ms. */
const RESTART_MS: Delays = [0, 0, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE];
/** Delays after range mismatches in a row, ms. */
const MISMATCH_MS: Delays = [0, 0, 0, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE];
/** Tolerance when a duration is compared with the account's limit, ms. */
const DURATION_SLACK_MS = 50;

/**
 * Queries the account's current options before each post. If the privacy is no longer allowed, the post fails; it is
 * never changed.
 */
export const begin = (work: Work): Promise<StepResult> => prepare(work, null);

/** Opens the upload, and sends one chunk per step. The last chunk is the irreversible request. */
export async function step(work: Work, checkpoint: JsonObject): Promise<StepResult> {
  const { session, media } = work;
  const upload = uploadOf(checkpoint);
  if (!upload.publishId) return open(work, upload);
  if (isExpired(upload, session.now())) return restart(work, upload, say('upload_expired'));
  const chunk = chunkWith(planOf(media.bytes, upload.chunkSize), upload.sent);
  if (chunk.isLast)
    return readyToCommit({ ...upload, sent: chunk.first, offeredAt: session.now() }, say('publishing_with_last_part'));
  const response = await session.http(chunkRequest(media, upload.uploadUrl, chunk));
  switch (response.status) {
    case 206: {
      const sent = chunk.last + 1;
      const note = say('bytes_sent', { sentBytes: sent, totalBytes: media.bytes });
      return proceed({ ...upload, sent, strays: 0 }, note);
    }
    // 201 means that TikTok has all bytes, so a send that we have no record of must have completed.
    case 201:
    case 416:
      return realign(work, upload, chunk, response);
    case 403:
    case 404:
      return restart(work, upload, say('upload_rejected', { code: response.status }));
    default:
      throw new PlatformError(failureOf(response));
  }
}

/** @param previous the abandoned upload that this one replaces; null for the first */
async function prepare({ session, post, media }: Work, previous: Upload | null): Promise<StepResult> {
  await session.spend('creator');
  const { username, privacies, maxSeconds, disabled } = await readCreator(session);
  const privacy = privacyOf(post, session);
  if (privacies && !privacies.includes(privacy)) return failed(setup(say('privacy_not_allowed', { privacy })));
  if (optionsOf(post).brandContent && privacy === 'SELF_ONLY')
    return failed(rejected('policy', say('branded_private')));
  if (maxSeconds && media.durationMs > maxSeconds * SECOND + DURATION_SLACK_MS) {
    const value = (media.durationMs / SECOND).toFixed(1);
    return failed(rejected('video', limitMessage('maxSeconds', { value, limit: maxSeconds })));
  }
  // The daily post budget counts videos, not upload attempts.
  if (!previous) await session.spend('posts');
  const { firstOpenedAt, restarts } = previous ? { ...previous, restarts: previous.restarts + 1 } : UNOPENED;
  const upload: Upload = { ...UNOPENED, privacy, username, disabled, firstOpenedAt, restarts };
  return proceed(upload, say('account_checked'), delayAfter(RESTART_MS, restarts));
}

async function open({ session, post, media }: Work, upload: Upload): Promise<StepResult> {
  await session.spend('init');
  const { videoSize, chunkSize, count } = planChunks(media.bytes);
  const options = optionsOf(post);
  const isOff = (name: Interaction) => upload.disabled[name] || !allows(name, { post, session });
  const { data } = await call(session, 'POST', '/v2/post/publish/video/init/', {
    post_info: {
      title: post.text,
      privacy_level: upload.privacy,
      disable_duet: isOff('duet'),
      disable_comment: isOff('comment'),
      disable_stitch: isOff('stitch'),
      video_cover_timestamp_ms: options.coverAtMs ?? Math.round(post.previewTimeMs),
      brand_content_toggle: options.brandContent === true,
      brand_organic_toggle: options.brandOrganic === true,
      ...(options.aiGenerated === undefined ? {} : { is_aigc: options.aiGenerated }),
    },
    source_info: { source: 'FILE_UPLOAD', video_size: videoSize, chunk_size: chunkSize, total_chunk_count: count },
  });
  const publishId = textAt(data, 'publish_id');
  const uploadUrl = textAt(data, 'upload_url');
  if (!publishId || !URL.canParse(uploadUrl)) throw new PlatformError(transient(say('upload_without_url')));
  const openedAt = session.now();
  const firstOpenedAt = upload.firstOpenedAt || openedAt;
  const opened: Upload = { ...upload, publishId, uploadUrl, chunkSize, openedAt, firstOpenedAt };
  // An only part is the irreversible request: the upload is stored with the row of its send.
  if (count === 1) return readyToCommit({ ...opened, offeredAt: openedAt }, say('publishing_with_last_part'));
  return proceed(opened, say('upload_opened_in_parts', { parts: count }));
}

/** The last chunk may have been accepted. Nothing else is sent until `verify` has established the outcome. */
function verifySend({ session }: Work, upload: Upload, note: Message): StepResult {
  return verifyFirst({ ...upload, offeredAt: upload.offeredAt || session.now() }, note);
}

/**
 * Continues at TikTok's offset when it differs from ours. If TikTok has all bytes, the send is verified. After the last
 * chunk was sent, so is a rejected range that TikTok says is missing: its byte count may lag behind.
 */
async function realign(work: Work, upload: Upload, chunk: Chunk, response: HttpResponse): Promise<StepResult> {
  const { media } = work;
  const plan = planOf(media.bytes, upload.chunkSize);
  let bytes = response.status === 201 ? media.bytes : reportedBytes(response, plan);
  if (bytes === null) {
    const status = await pollStatus(work, upload);
    if (!status) return restart(work, upload, say('upload_unknown'));
    if (status.state === 'failed') return verifySend(work, upload, say('upload_failed'));
    bytes = status.state === 'uploading' ? (status.uploaded ?? 0) : media.bytes;
  }
  const { first } = chunkWith(plan, bytes);
  if (bytes >= media.bytes || (first === chunk.first && upload.offeredAt > 0))
    return verifySend(work, { ...upload, contradicted: true }, say('upload_already_complete'));
  if (first === chunk.first) throw new PlatformError({ ...transient(say('part_rejected')), status: response.status });
  const { strays } = upload;
  const again = { ...upload, sent: first, strays: strays + 1 };
  return proceed(again, say('upload_continued', { receivedBytes: bytes }), delayAfter(MISMATCH_MS, strays));
}

/** Starts a new upload once it is certain that the current one has not posted and will not. */
async function restart(work: Work, upload: Upload, reason: Message): Promise<StepResult> {
  const now = () => work.session.now();
  if (upload.offeredAt > 0) {
    const status = await pollStatus(work, upload);
    if (status?.state !== 'uploading' || status.uploaded === null || upload.contradicted)
      return verifySend(work, upload, say('verify_first', { reason }));
    if (now() - upload.offeredAt < LATE_EXECUTION_MS) return proceed(upload, say('restart_waits', { reason }), MINUTE);
    if ((await findPublic(work, upload)).then === 'posted')
      return verifySend(work, { ...upload, contradicted: true }, say('verify_first', { reason }));
  }
  if (now() - upload.firstOpenedAt > RESTART_FOR_MS) return failed(transient(say('restarts_exhausted', { reason })));
  return prepare(work, upload);
}

/** The irreversible request: the last byte of the last chunk publishes the video. */
export const commit: CommitPlan = {
  async request({ media }, checkpoint) {
    const { uploadUrl, chunkSize } = uploadOf(checkpoint);
    return chunkRequest(media, uploadUrl, chunkWith(planOf(media.bytes, chunkSize), media.bytes));
  },
  // Per the Media Transfer Guide, 400 means unreadable headers or a wrong size: nothing was accepted.
  // 403 and 404 (expired URL, unknown upload) and 416 (bytes already received) may also follow an earlier send that
  // succeeded.
  // An intermediary may return a 5xx while TikTok still processes the request.
  // Only `status/fetch` can settle all of these.
  responses: [
    { status: 201, proves: 'done' },
    { status: 400, proves: 'retryable' },
  ],
  codeOf: (response) => textAt(response.tryJson(), 'error', 'code'),
  failureOf: (response) => ({ ...transient(failureOf(response).detail), status: response.status }),
  done: (_work, checkpoint) => confirmLater(uploadOf(checkpoint), say('upload_processing')),
};
