/**
 * The steps before the irreversible request: open an upload, send its segments, finalize it, wait for processing.
 *
 * A lost upload is harmless: it is invisible and expires, so a new one is made.
 */
import type { HttpAnswer } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { JsonObject, StepResult, Work } from '../contract.ts';
import { isSuccess } from './api.ts';
import { UNOPENED, type Upload, uploadOf } from './checkpoint.ts';
import { failureOf, processingFailure } from './classify.ts';
import { SEGMENTS_A_STEP } from './limits.ts';
import { halved, segmentCount, segmentSize, segmentsFrom } from './segments.ts';
import { postsSince, saysTheSame } from './timeline.ts';
import { finalizeUpload, lookAtUpload, openUpload, type Processing, sendSegment } from './upload.ts';

/** An upload is not used this close to its expiry, ms. */
const EXPIRY_MARGIN_MS = 600_000;
/** Delay before a new upload, ms; then {@link RESTART_LATER_MS}. The post's deadline ends the retries. */
const RESTART_PAUSE_MS = [0, 30_000, 300_000];
const RESTART_LATER_MS = 900_000;
/** Maximum processing time that counts as progress, ms. After that the post's deadline applies. */
const PATIENCE_MS = 600_000;
/** Delay before a video that X failed to process is uploaded again, ms. */
const BROKEN_PAUSE_MS = 30_000;
/** After this many rejected sends of one upload, a new upload is made, in case X has lost the video. */
const MAX_OFFERS = 3;
/** Delay before a resend when X neither accepted nor rejected the post, ms. After the last one, the post fails. */
const VOID_PAUSE_MS = [0, 0, 60_000, 3_600_000, 14_400_000, 36_000_000];
const VOID_PAUSE_SANDBOX_MS = 1_000;
/** From this many sends without effect on, the timeline is checked for an earlier post with the same text. */
const DUPLICATE_AFTER = 2;
const DAY_MS = 86_400_000;

export function begin(work: Work): Promise<StepResult> {
  return open(work, uploadOf(null));
}

export async function step(work: Work, checkpoint: JsonObject): Promise<StepResult> {
  const upload = uploadOf(checkpoint);
  const { session, media } = work;
  if (upload.rest) return rest(work, upload);
  if (!upload.mediaId) return open(work, upload);
  if (session.now() > upload.expiresAt - EXPIRY_MARGIN_MS) return restart(upload, 'The upload ran out.');
  if (upload.offeredAs > 0) return offerAgain(work, upload);
  if (upload.sent < segmentCount(media.bytes, upload.segmentSize)) return sendSegments(work, upload);
  if (upload.finalizedAt > 0)
    return processed(work, upload, (await lookAtUpload(session, upload.mediaId)) ?? { state: 'ready' });
  const processing = await finalizeUpload(session, upload.mediaId);
  return processed(work, { ...upload, finalizedAt: session.now() }, processing);
}

async function open(work: Work, upload: Upload): Promise<StepResult> {
  const opened = await openUpload(work);
  const size = upload.segmentSize || segmentSize(work.media.bytes);
  const checkpoint: Upload = {
    ...upload,
    ...UNOPENED,
    mediaId: opened.mediaId,
    mediaKey: opened.mediaKey,
    segmentSize: size,
    expiresAt: work.session.now() + opened.lifeMs,
    since: upload.since || opened.at,
  };
  const count = segmentCount(work.media.bytes, size);
  return {
    then: 'continue',
    checkpoint: { ...checkpoint },
    note: `Upload opened: ${count} ${count === 1 ? 'segment' : 'segments'}.`,
  };
}

/** Sends several segments concurrently. X replaces a segment that it already has. */
async function sendSegments({ session, media }: Work, upload: Upload): Promise<StepResult> {
  await session.spend('parts');
  await session.spend('partsOfAll');
  const segments = segmentsFrom(media.bytes, upload.segmentSize, upload.sent, SEGMENTS_A_STEP);
  const results = await Promise.allSettled(
    segments.map((segment) => sendSegment(session, media, upload.mediaId, segment)),
  );
  const answers: HttpAnswer[] = [];
  for (const result of results) {
    if (result.status === 'rejected') throw result.reason;
    answers.push(result.value);
  }
  const refused = answers.find((answer) => !isSuccess(answer));
  if (refused) return afterRefusedSegment(upload, media.bytes, refused, session.now());
  const sent = upload.sent + segments.length;
  const bytes = Math.min(sent * upload.segmentSize, media.bytes);
  return { then: 'continue', checkpoint: { ...upload, sent }, note: `Sent ${bytes} of ${media.bytes} bytes.` };
}

function afterRefusedSegment(upload: Upload, bytes: number, answer: HttpAnswer, now: number): StepResult {
  const half = answer.status === 413 ? halved(bytes, upload.segmentSize) : null;
  if (half) return restart({ ...upload, segmentSize: half }, 'X wants smaller segments.');
  if ([400, 404, 410].includes(answer.status) && answer.tryJson() !== null)
    return restart(upload, 'X no longer takes this upload.');
  throw new PlatformError(failureOf(answer, now, 'media'));
}

async function processed(work: Work, upload: Upload, processing: Processing): Promise<StepResult> {
  switch (processing.state) {
    case 'ready':
      return offer(work, upload, 'The video is ready.');
    case 'gone':
      return restart(upload, 'X no longer has the upload, or not all of it.');
    case 'failed':
      return broken(upload, processing.error);
    case 'working': {
      const note = 'X is processing the video.';
      if (work.session.now() - upload.finalizedAt > PATIENCE_MS)
        return { then: 'failed', failure: { kind: 'transient', detail: note, waitMs: processing.afterMs } };
      return { then: 'continue', checkpoint: { ...upload }, afterMs: processing.afterMs, note };
    }
  }
}

/** A first failure may be temporary; a second one is blamed on the video. */
function broken(upload: Upload, error: unknown): StepResult {
  const failure = processingFailure(error);
  if (failure) return { then: 'failed', failure };
  const detail = 'X failed to process the video.';
  if (upload.broken > 0) return { then: 'failed', failure: { kind: 'rejected', what: 'video', detail } };
  const checkpoint = { ...upload, ...UNOPENED, broken: upload.broken + 1 };
  return { then: 'continue', checkpoint, afterMs: BROKEN_PAUSE_MS, note: `${detail} Trying once more.` };
}

/** Keeps the keys of earlier uploads, so that the post is found no matter which upload it used. */
function restart(upload: Upload, why: string): StepResult {
  const afterMs = RESTART_PAUSE_MS[upload.restarts] ?? RESTART_LATER_MS;
  const checkpoint = { ...upload, ...UNOPENED, restarts: upload.restarts + 1 };
  return { then: 'continue', checkpoint, afterMs, note: `${why} Uploading the video again.` };
}

async function offer({ session, post }: Work, upload: Upload, note: string): Promise<StepResult> {
  await session.spend('posts');
  await session.spend('postsOfAll');
  const name = upload.mediaKey || upload.mediaId;
  const offered = [...new Set([...upload.offered, name])];
  const checkpoint = { ...upload, offered, offers: upload.offers + 1, offeredAs: post.sendKey };
  return { then: 'commit', checkpoint, note };
}

/**
 * Resends the same text with the same upload, because X rejects a second post of it. A new upload would not have this
 * protection.
 */
async function offerAgain(work: Work, upload: Upload): Promise<StepResult> {
  const isProvenVoid = work.post.sendKey > upload.offeredAs;
  if (isProvenVoid && upload.offers >= MAX_OFFERS) return restart(upload, 'X does not take the upload.');
  const processing = (await lookAtUpload(work.session, upload.mediaId)) ?? { state: 'ready' };
  return processed(work, upload, processing);
}

/**
 * Runs after a send that X neither accepted nor rejected and that is verified to have had no effect. X may have
 * considered it a duplicate.
 */
async function rest({ session, post }: Work, upload: Upload): Promise<StepResult> {
  const pause = VOID_PAUSE_MS[upload.voids];
  if (upload.voids >= DUPLICATE_AFTER) {
    const { posts } = await postsSince(session, session.now() - DAY_MS, post.text);
    if (posts.some((each) => saysTheSame(each, post.text)))
      return refuse('duplicate', 'X does not take the post: the account shows another one with the same words.');
  }
  if (pause === undefined) return refuse('other', 'X did not take the post, again and again, and does not show it.');
  const afterMs = session.sandbox ? Math.min(pause, VOID_PAUSE_SANDBOX_MS) : pause;
  return { then: 'continue', checkpoint: { ...upload, rest: false }, afterMs, note: 'Preparing another attempt.' };
}

function refuse(what: 'duplicate' | 'other', detail: string): StepResult {
  return { then: 'failed', failure: { kind: 'rejected', what, detail } };
}
