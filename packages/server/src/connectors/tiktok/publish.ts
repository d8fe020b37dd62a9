/**
 * The steps up to the irreversible request: query the account's limits, open an upload, send all chunks but the last.
 *
 * A new upload is opened only if the current one cannot have posted: its URL expired with bytes missing, or TikTok
 * reported FAILED.
 */
import type { HttpResponse } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { CommitPlan, JsonObject, StepResult, Work } from '../contract.ts';
import { delayAfter } from '../kit/delays.ts';
import { rejected, setup, transient } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import { failed, proceed, readyToCommit, verifyFirst } from '../kit/results.ts';
import { call, readCreator } from './api.ts';
import { failReason, failureOf } from './classify.ts';
import { askedOf, PRIVATE, privacyOf } from './limits.ts';
import { isForgotten, type PublishStatus, pollStatus } from './status.ts';
import {
  type Chunk,
  chunkRequest,
  chunkWith,
  hasRunOut,
  planChunks,
  planOf,
  reportedBytes,
  UNOPENED,
  type Upload,
  uploadOf,
} from './upload.ts';

/** How late an unanswered last chunk may still take effect, ms. A new upload must wait this long. */
const LATE_EXECUTION_MS = 15 * 60_000;
const POLL_AGAIN_MS = 60_000;
/** How long new uploads may be started, ms. After that the failure remains until the post's deadline ends it. */
const RESTART_FOR_MS = 24 * 3_600_000;
/** Delays before the first upload and before each further one, ms. */
const RESTART_MS = [0, 0, 60_000, 300_000, 900_000, 1_800_000] as const;
/** This many range mismatches in a row are retried at once; each further one adds this delay (ms). */
const FAST_MISMATCHES = 3;
const MISMATCH_PAUSE_MS = 30_000;

/**
 * Queries the account's current options before each post. If the privacy is no longer allowed, the post fails; it is
 * never changed.
 */
export function begin(work: Work): Promise<StepResult> {
  return prepare(work, null);
}

/** Opens the upload, then sends one chunk per step. The last chunk is the irreversible request. */
export async function step(work: Work, checkpoint: JsonObject): Promise<StepResult> {
  const upload = uploadOf(checkpoint);
  if (!upload.publishId) return open(work, upload);
  if (hasRunOut(upload, work.session.now())) return restart(work, upload, 'The upload address ran out.');
  const plan = planOf(work.media.bytes, upload.chunkSize);
  const chunk = chunkWith(plan, upload.sent);
  if (chunk.isLast) {
    const what = plan.count === 1 ? 'the video' : 'the last part';
    return offer(work, upload, `Sending ${what}; with its last byte it is posted.`);
  }
  const response = await work.session.http(chunkRequest(work.media, upload.uploadUrl, chunk));
  switch (response.status) {
    case 206: {
      const sent = chunk.last + 1;
      return proceed({ ...upload, sent, strays: 0 }, `Sent ${sent} of ${work.media.bytes} bytes.`);
    }
    // 201 means that TikTok has all bytes, so a send that we have no record of must have completed.
    case 201:
    case 416:
      return realign(work, upload, chunk, response);
    case 403:
    case 404:
      return restart(work, upload, 'TikTok no longer takes this upload.');
    default:
      throw new PlatformError(failureOf(response));
  }
}

/** @param former the abandoned upload that this one replaces; null for the first */
async function prepare({ session, post, media }: Work, former: Upload | null): Promise<StepResult> {
  await session.spend('creator');
  const creator = await readCreator(session);
  const privacy = privacyOf(post, session);
  if (creator.privacies && !creator.privacies.includes(privacy))
    return failed(
      setup(`The account does not allow the privacy "${privacy}" (any more). Choose again in its settings.`),
    );
  if (askedOf(post).brandContent && privacy === PRIVATE)
    return failed(rejected('policy', 'Branded content cannot be visible to oneself only.'));
  const { maxSeconds } = creator;
  if (maxSeconds && media.durationMs > maxSeconds * 1000 + 50) {
    const lasts = `The video lasts ${(media.durationMs / 1000).toFixed(1)} s`;
    return failed(rejected('video', `${lasts}; this account may post at most ${maxSeconds} s.`));
  }
  // The daily post budget counts videos, not upload attempts.
  if (!former) await session.spend('posts');
  const upload: Upload = {
    ...UNOPENED,
    privacy,
    username: creator.username,
    disabled: creator.disabled,
    firstOpenedAt: former?.firstOpenedAt ?? 0,
    restarts: former ? former.restarts + 1 : 0,
  };
  const note = 'TikTok was asked what the account may post.';
  return proceed(upload, note, delayAfter(RESTART_MS, upload.restarts));
}

async function open({ session, post, media }: Work, upload: Upload): Promise<StepResult> {
  await session.spend('init');
  const plan = planChunks(media.bytes);
  const asked = askedOf(post);
  const { data } = await call(session, 'POST', '/v2/post/publish/video/init/', {
    post_info: {
      title: post.text,
      privacy_level: upload.privacy,
      disable_duet: upload.disabled.duet || asked.disableDuet === true,
      disable_comment: upload.disabled.comment || asked.disableComment === true,
      disable_stitch: upload.disabled.stitch || asked.disableStitch === true,
      video_cover_timestamp_ms: asked.coverAtMs ?? Math.round(post.previewTimeMs),
      brand_content_toggle: asked.brandContent === true,
      brand_organic_toggle: asked.brandOrganic === true,
      ...(asked.aiGenerated === undefined ? {} : { is_aigc: asked.aiGenerated }),
    },
    source_info: {
      source: 'FILE_UPLOAD',
      video_size: plan.videoSize,
      chunk_size: plan.chunkSize,
      total_chunk_count: plan.count,
    },
  });
  const publishId = textAt(data, 'publish_id');
  const uploadUrl = textAt(data, 'upload_url');
  if (!publishId || !URL.canParse(uploadUrl))
    throw new PlatformError(transient('TikTok opened an upload without an address.'));
  const openedAt = session.now();
  const firstOpenedAt = upload.firstOpenedAt || openedAt;
  return proceed(
    { ...upload, publishId, uploadUrl, chunkSize: plan.chunkSize, openedAt, firstOpenedAt },
    `Upload opened: ${plan.count} ${plan.count === 1 ? 'part' : 'parts'}.`,
  );
}

/** All chunks but the last are sent; the last byte of the last chunk publishes. */
function offer({ session, media }: Work, upload: Upload, note: string): StepResult {
  const { first } = chunkWith(planOf(media.bytes, upload.chunkSize), media.bytes);
  return readyToCommit({ ...upload, sent: first, offeredAt: session.now() }, note);
}

/** The last chunk may have been accepted. Nothing else is sent until `verify` has settled it. */
function look({ session }: Work, upload: Upload, note: string): StepResult {
  return verifyFirst({ ...upload, offeredAt: upload.offeredAt || session.now() }, note);
}

/**
 * Continues at TikTok's offset when it differs from ours. If TikTok has all bytes, the send is verified.
 *
 * If verification and the upload keep contradicting each other, the URL eventually expires and a new upload is started.
 */
async function realign(work: Work, upload: Upload, chunk: Chunk, response: HttpResponse): Promise<StepResult> {
  const { session, media } = work;
  const plan = planOf(media.bytes, upload.chunkSize);
  let bytes = response.status === 201 ? media.bytes : reportedBytes(response, plan);
  if (bytes === null) {
    const status = await pollStatus(session, upload.publishId, media.bytes);
    if (status.state === 'failed') return afterFailed(work, upload, status);
    bytes = status.state === 'uploading' ? (status.uploaded ?? 0) : media.bytes;
  }
  if (bytes >= media.bytes) return look(work, upload, 'TikTok has the whole video already.');
  const { first } = chunkWith(plan, bytes);
  if (first === chunk.first)
    throw new PlatformError({
      kind: 'transient',
      status: response.status,
      detail: 'TikTok refused a part of the video that it had asked for.',
    });
  const strays = upload.strays + 1;
  return proceed(
    { ...upload, sent: first, strays },
    `TikTok has ${bytes} bytes; going on from there.`,
    Math.max(0, strays - FAST_MISMATCHES) * MISMATCH_PAUSE_MS,
  );
}

/** Starts a new upload once it is certain that the current one has not posted and will not. */
async function restart(work: Work, upload: Upload, why: string): Promise<StepResult> {
  const { session, media } = work;
  if (upload.offeredAt > 0) {
    const status = await pollStatus(session, upload.publishId, media.bytes).catch((error: unknown) => {
      if (isForgotten(error)) return null;
      throw error;
    });
    if (status?.state === 'failed') return afterFailed(work, upload, status);
    if (status?.state !== 'uploading' || status.uploaded === null)
      return look(work, upload, `${why} It may have posted before.`);
    if (session.now() - upload.offeredAt < LATE_EXECUTION_MS)
      return proceed(upload, `${why} Waiting until nothing can come of it any more.`, POLL_AGAIN_MS);
  }
  if (session.now() - upload.firstOpenedAt > RESTART_FOR_MS)
    return failed(transient(`${why} No upload of this video came to its end.`));
  return prepare(work, upload);
}

/** A temporary failure starts a new upload; any other failure ends the post. */
async function afterFailed(work: Work, upload: Upload, status: PublishStatus): Promise<StepResult> {
  const failure = failReason(status.failReason || 'internal');
  const passes = failure.kind === 'transient' || failure.kind === 'rateLimited';
  return passes ? prepare(work, upload) : failed(failure);
}

/** The irreversible request: the last byte of the last chunk publishes the video. */
export const commit: CommitPlan = {
  async request({ media }, checkpoint) {
    const upload = uploadOf(checkpoint);
    const last = chunkWith(planOf(media.bytes, upload.chunkSize), media.bytes);
    return chunkRequest(media, upload.uploadUrl, last);
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
  failureOf: ({ status }) => ({
    ...transient(`TikTok did not take the last part (it answered ${status}).`),
    status,
  }),
  done: (_work, checkpoint) => ({
    then: 'confirming',
    checkpoint: uploadOf(checkpoint),
    afterMs: 1_000,
    note: 'TikTok has the whole video and is processing it.',
  }),
};
