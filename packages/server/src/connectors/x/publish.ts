/**
 * The steps up to the irreversible request: open an upload, send its segments, finalize it, wait for processing.
 *
 * A lost upload is harmless: it is invisible and expires, so a new one is made.
 */
import type { Message } from '../../messages/message.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../time.ts';
import type { CommitPlan, JsonObject, StepResult, Work } from '../contract.ts';
import { type Delays, delayAfter } from '../kit/delays.ts';
import { rejected, transient } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import { bearer } from '../kit/requests.ts';
import { failed, proceed, readyToCommit } from '../kit/results.ts';
import { isId, isSuccess } from './api.ts';
import { failureOf, processingFailure, RESPONSES, verdictOf } from './classify.ts';
import { SEGMENTS_A_STEP, textProblem } from './limits.ts';
import { say } from './messages.ts';
import {
  finalizeUpload,
  halved,
  isGone,
  openUpload,
  type Processing,
  pollUpload,
  segmentCount,
  segmentSize,
  segmentsFrom,
  sendSegment,
  UNOPENED,
  type Upload,
  uploadOf,
} from './upload.ts';
import { isSameText, posted, postsSince } from './verify.ts';

/** An upload is not used this close to its expiry, ms. */
const EXPIRY_MARGIN_MS = 10 * MINUTE;
/** Before a new upload. The post's deadline ends the retries. */
const RESTART_MS: Delays = [0, 30 * SECOND, 5 * MINUTE, 15 * MINUTE];
/** Maximum processing time that counts as progress, ms. After that the post's deadline applies. */
const PATIENCE_MS = 10 * MINUTE;
/** Delay before a video that X failed to process is uploaded again, ms. */
const BROKEN_PAUSE_MS = 30 * SECOND;
/** After this many rejected sends of one upload, a new upload is made, in case X has lost the video. */
const MAX_OFFERS = 3;
/** Delay before a resend when X neither accepted nor rejected the post, ms. After the last one, the post fails. */
const VOID_PAUSE_MS = [0, 0, MINUTE, HOUR, 4 * HOUR, 10 * HOUR];
const VOID_PAUSE_SANDBOX_MS = SECOND;
/** From this many sends without effect on, the timeline is checked for an earlier post with the same text. */
const DUPLICATE_AFTER = 2;

export async function begin(work: Work): Promise<StepResult> {
  const problem = textProblem(work.post.text);
  return problem ? failed(rejected('caption', problem)) : open(work, uploadOf(null));
}

export async function step(work: Work, checkpoint: JsonObject): Promise<StepResult> {
  const upload = uploadOf(checkpoint);
  const { session, media } = work;
  if (upload.rest) return rest(work, upload);
  if (!upload.mediaId) return open(work, upload);
  if (session.now() > upload.expiresAt - EXPIRY_MARGIN_MS) return restart(upload, say('upload_expired'));
  if (upload.offeredAs > 0) return offerAgain(work, upload);
  if (upload.sent < segmentCount(media.bytes, upload.segmentSize)) return sendSegments(work, upload);
  if (upload.finalizedAt > 0) return processed(work, upload, await pollUpload(session, upload.mediaId));
  const processing = await finalizeUpload(session, upload.mediaId);
  return processed(work, { ...upload, finalizedAt: session.now() }, processing);
}

async function open(work: Work, upload: Upload): Promise<StepResult> {
  const { openedAt, ...opened } = await openUpload(work);
  const size = upload.segmentSize || segmentSize(work.media.bytes);
  const since = upload.since || openedAt;
  const parts = segmentCount(work.media.bytes, size);
  return proceed(
    { ...upload, ...UNOPENED, ...opened, segmentSize: size, since },
    say('upload_opened_in_parts', { parts }),
  );
}

/** Sends several segments concurrently. X replaces a segment that it already has. */
async function sendSegments({ session, media }: Work, upload: Upload): Promise<StepResult> {
  await session.spend('parts');
  await session.spend('partsOfAll');
  const segments = segmentsFrom(media.bytes, upload.segmentSize, upload.sent, SEGMENTS_A_STEP);
  const results = await Promise.allSettled(
    segments.map((segment) => sendSegment(session, media, upload.mediaId, segment)),
  );
  const responses = results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
  const refused = responses.find((response) => !isSuccess(response));
  if (refused) return afterRefusedSegment(upload, media.bytes, refused, session.now());
  const sent = upload.sent + segments.length;
  const sentBytes = Math.min(sent * upload.segmentSize, media.bytes);
  return proceed({ ...upload, sent }, say('bytes_sent', { sentBytes, totalBytes: media.bytes }));
}

function afterRefusedSegment(upload: Upload, bytes: number, response: HttpResponse, now: number): StepResult {
  const { status } = response;
  const half = status === 413 ? halved(bytes, upload.segmentSize) : null;
  if (half) return restart({ ...upload, segmentSize: half }, say('segments_too_large'));
  if (isGone(response)) return restart(upload, say('upload_rejected', { code: status }));
  throw new PlatformError(failureOf(response, now, 'media'));
}

/** @param processing null: X has the upload but reports no processing */
async function processed(work: Work, upload: Upload, processing: Processing | null): Promise<StepResult> {
  switch (processing?.state) {
    case undefined:
    case 'ready':
      return offer(work, upload);
    case 'gone':
      return restart(upload, say('upload_unknown'));
    case 'failed':
      return afterFailedProcessing(upload, processing.error);
    case 'working': {
      const note = say('processing');
      if (work.session.now() - upload.finalizedAt > PATIENCE_MS) return failed(transient(note, processing.afterMs));
      return proceed(upload, note, processing.afterMs);
    }
  }
}

/** A first failure may be temporary; a second one is blamed on the video. */
function afterFailedProcessing(upload: Upload, error: unknown): StepResult {
  const failure = processingFailure(error);
  if (failure) return failed(failure);
  const reason = say('video_not_processed');
  if (upload.broken > 0) return failed(rejected('video', reason));
  const fresh: Upload = { ...upload, ...UNOPENED, broken: upload.broken + 1 };
  return proceed(fresh, say('upload_restarted', { reason }), BROKEN_PAUSE_MS);
}

/** Keeps the keys of earlier uploads, so that the post is found no matter which upload it used. */
function restart(upload: Upload, reason: Message): StepResult {
  const { restarts } = upload;
  const fresh: Upload = { ...upload, ...UNOPENED, restarts: restarts + 1 };
  return proceed(fresh, say('upload_restarted', { reason }), delayAfter(RESTART_MS, restarts));
}

async function offer({ session, post }: Work, upload: Upload): Promise<StepResult> {
  await session.spend('posts');
  await session.spend('postsOfAll');
  const offered = [...new Set([...upload.offered, upload.mediaKey || upload.mediaId])];
  return readyToCommit({ ...upload, offered, offers: upload.offers + 1, offeredAs: post.sendKey }, say('processed'));
}

/**
 * Resends the same text with the same upload, because X rejects a second post of it. A new upload would not have this
 * protection.
 */
async function offerAgain(work: Work, upload: Upload): Promise<StepResult> {
  const hadNoEffect = work.post.sendKey > upload.offeredAs;
  if (hadNoEffect && upload.offers >= MAX_OFFERS) return restart(upload, say('sends_rejected'));
  return processed(work, upload, await pollUpload(work.session, upload.mediaId));
}

/**
 * Runs after a send that X neither accepted nor rejected and that is verified to have had no effect. X may have
 * considered it a duplicate.
 */
async function rest({ session, post }: Work, upload: Upload): Promise<StepResult> {
  if (upload.voids >= DUPLICATE_AFTER) {
    const { posts } = await postsSince(session, session.now() - DAY, post.text);
    if (posts.some((each) => isSameText(each, post.text))) return failed(rejected('duplicate', say('same_text_shown')));
  }
  const pause = VOID_PAUSE_MS[upload.voids];
  if (pause === undefined) return failed(rejected('other', say('never_accepted')));
  const afterMs = session.sandbox ? Math.min(pause, VOID_PAUSE_SANDBOX_MS) : pause;
  return proceed({ ...upload, rest: false }, say('attempt_follows'), afterMs);
}

/** The irreversible request (`POST /2/tweets`). */
export const commit: CommitPlan = {
  async request({ session, post }, checkpoint) {
    const { replySettings, madeWithAi, paidPartnership } = post.options;
    const body = {
      text: post.text,
      media: { media_ids: [uploadOf(checkpoint).mediaId] },
      // Everyone is the default; X rejects the explicit value.
      ...(replySettings && replySettings !== 'everyone' ? { reply_settings: replySettings } : {}),
      ...(typeof madeWithAi === 'boolean' ? { made_with_ai: madeWithAi } : {}),
      ...(typeof paidPartnership === 'boolean' ? { paid_partnership: paidPartnership } : {}),
    };
    return {
      method: 'POST',
      url: `${session.endpoints.api}/2/tweets`,
      headers: bearer(session.secret),
      body: { kind: 'bytes', type: 'application/json', bytes: JSON.stringify(body) },
      deadlineMs: MINUTE,
    };
  },
  responses: RESPONSES,
  codeOf: verdictOf,
  failureOf: (response, now) => failureOf(response, now, 'post'),
  /** The post is live once 201 arrives. @throws TypeError if the response names no post */
  done: ({ session }, _checkpoint, response) => {
    const id = textAt(response.tryJson(), 'data', 'id');
    if (!isId(id)) throw new TypeError('The response names no post.');
    return posted(session, id, null, say('posted'));
  },
};
