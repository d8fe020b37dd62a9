/**
 * Steps before the irreversible request: open an upload, send its parts, finalize it, and poll until LinkedIn has
 * processed the video. A video that no post references is invisible, so every step can be repeated until the post is
 * sent.
 */
import { HOUR, MINUTE, SECOND } from '../../lib/time.ts';
import type { Message } from '../../messages/message.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { JsonObject, StepResult, Work } from '../contract.ts';
import { type Delays, delayAfter } from '../kit/delays.ts';
import { reconnect, rejected, transient, withWords } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import { failed, proceed, readyToCommit, verifyFirst } from '../kit/results.ts';
import { tameWords } from '../kit/words.ts';
import { call, isHidden, isOrganization } from './api.ts';
import { ROLE_MISSING } from './classify.ts';
import { escapeText, MAX_ESCAPED } from './limits.ts';
import { say } from './messages.ts';
import { findByVideo } from './post.ts';
import { open, restart, sendCover, sendPart, type Upload, uploadOf } from './upload.ts';

const MAX_STUMBLES = 2;
/** Delays between polls, in ms. Polls are few because a member has 150 requests a day. */
const POLL_MS: Delays = [2_000, 5_000, 5_000, 10_000, 10_000, 15_000, 30_000, 30_000, 60_000];
/** After this processing time in ms, a poll no longer counts as progress and the deadline of the post applies. */
const PATIENCE_MS = 15 * MINUTE;
/** How long in ms a new video may return 404 or stay in `WAITING_UPLOAD`. */
const SETTLES_MS = 2 * MINUTE;
const MAX_CLOSED = 3;
const CLOSED_PAUSE_MS = 10 * SECOND;
/** Maximum sends that were verified to have created no post, although LinkedIn did not report that. */
const MAX_VOIDS = 8;
/**
 * Delay before the next send in ms, by number of such sends. It grows so that a LinkedIn outage of hours does not fail
 * the post.
 */
const VOID_PAUSE_MS: Delays = [0, 0, 0, MINUTE, 15 * MINUTE, HOUR, 4 * HOUR, 8 * HOUR];

/** Reports what LinkedIn would reject after the upload before making the first call. */
export async function begin(work: Work): Promise<StepResult> {
  const { post, session } = work;
  const value = escapeText(post.text).length;
  if (value > MAX_ESCAPED)
    return failed(rejected('caption', say('escaped_text_too_long', { value, limit: MAX_ESCAPED })));
  if (post.options.visibility === 'CONNECTIONS' && isOrganization(session.remoteId))
    return failed(rejected('other', say('page_visibility')));
  return open(work, uploadOf(null));
}

export async function step(work: Work, checkpoint: JsonObject): Promise<StepResult> {
  const upload = uploadOf(checkpoint);
  const { offers, parts, voids } = upload;
  if (upload.sha256 !== work.media.sha256 && offers === 0) return open(work, uploadOf(null));
  if (!upload.video) return open(work, upload);
  const [part, ...more] = parts;
  if (part) return upload.coverUrl ? sendCover(work, upload) : sendPart(work, upload, [part, ...more]);
  if (!upload.finalizedAt) return finalize(work, upload);
  if (voids >= MAX_VOIDS) return failed(rejected('other', say('sends_exhausted', { sends: voids })));
  if (voids > upload.rested) {
    const pause = delayAfter(VOID_PAUSE_MS, voids);
    const afterMs = work.session.sandbox ? Math.min(pause, SECOND) : pause;
    return proceed({ ...upload, rested: voids }, say('resending'), afterMs);
  }
  return poll(work, upload);
}

/**
 * Finalizes the upload. LinkedIn may reject a second call; the status of the video shows whether the first call
 * succeeded.
 */
async function finalize(work: Work, upload: Upload): Promise<StepResult> {
  const { session } = work;
  const { video, uploadToken, etags: uploadedPartIds } = upload;
  try {
    await call(session, 'POST', '/rest/videos?action=finalizeUpload', {
      json: { finalizeUploadRequest: { video, uploadToken, uploadedPartIds } },
    });
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const { failure } = error;
    if (failure.status === 400) return afterRejection(work, upload, failure);
    const isForbidden = failure.platformCode === 'FORBIDDEN_RESOURCE';
    if (failure.status !== 404 && !isForbidden) throw error;
    return awaitAccess(upload) ?? (isForbidden ? failed({ ...failure, ...ROLE_MISSING }) : lost(work, upload, failure));
  }
  return pollLater({ ...upload, finalizedAt: session.now() }, say('upload_processing'));
}

async function afterRejection(work: Work, upload: Upload, failure: Failure): Promise<StepResult> {
  const { status, reason } = await pollVideo(work, upload);
  if (status === 'PROCESSING_FAILED') return processingFailed(reason);
  if (status === 'PROCESSING' || status === 'AVAILABLE')
    return pollLater({ ...upload, finalizedAt: work.session.now() }, say('upload_processing'));
  const stumbles = upload.stumbles + 1;
  if (failure.platformCode === 'UPDATING_ASSET_FAILED' && stumbles <= MAX_STUMBLES) {
    const note = say('retry_in', { reason: failure.detail, pauseMs: MINUTE });
    return proceed({ ...upload, stumbles }, note, MINUTE);
  }
  return restart(work, upload, say('upload_failed'), failure);
}

const lost = (work: Work, upload: Upload, failure: Failure) => restart(work, upload, say('upload_unknown'), failure);

/** Retries while a new upload or video is forbidden or unknown. Returns null after `MAX_CLOSED` times. */
function awaitAccess(upload: Upload): StepResult | null {
  const closed = upload.closed + 1;
  if (closed > MAX_CLOSED) return null;
  return proceed({ ...upload, closed }, say('video_not_shown_yet'), CLOSED_PAUSE_MS * closed);
}

/** Polls until the video is `AVAILABLE`. A post that references it earlier may be rejected. */
async function poll(work: Work, upload: Upload): Promise<StepResult> {
  const { status, reason, hidden } = await pollVideo(work, upload);
  const age = work.session.now() - upload.finalizedAt;
  if (hidden) return afterHidden(work, upload, hidden, age);
  if (status === 'AVAILABLE') return offer(work, upload, say('processed'));
  if (status === 'PROCESSING_FAILED') return processingFailed(reason);
  if (status === 'WAITING_UPLOAD' && age > SETTLES_MS && upload.offers === 0) {
    if (upload.coverMissing) return restart(work, upload, say('cover_awaited'));
    return proceed({ ...upload, finalizedAt: 0 }, say('finalize_repeated'));
  }
  if (age > PATIENCE_MS) throw new PlatformError(transient(say('processing')));
  return pollLater(upload, say('processing'));
}

/**
 * Handles a video that cannot be read. A new video may return 404 or 403 for a moment. LinkedIn does not document
 * whether a member's token may always read the member's own video. If it may not, the video is posted anyway: LinkedIn
 * rejects the post if it is too early.
 */
async function afterHidden(work: Work, upload: Upload, failure: Failure, age: number): Promise<StepResult> {
  if (failure.status === 404 && age < SETTLES_MS) return pollLater(upload, say('video_not_shown_yet'));
  if (failure.status !== 403) throw new PlatformError(failure);
  const isPage = isOrganization(work.session.remoteId);
  const blocked = () => failed({ ...failure, ...reconnect(say('account_not_visible')) });
  return awaitAccess(upload) ?? (isPage ? blocked() : offer(work, upload, say('video_hidden')));
}

interface VideoStatus {
  /** "" if the video cannot be read. */
  status: string;
  reason: string;
  /** LinkedIn's failure if the account may not read the video, or not yet. */
  hidden?: Failure;
}

/** Reads the status of the video. @throws PlatformError */
async function pollVideo({ session }: Work, upload: Upload): Promise<VideoStatus> {
  try {
    const body = (await call(session, 'GET', `/rest/videos/${encodeURIComponent(upload.video)}`)).json();
    return { status: textAt(body, 'status'), reason: tameWords(textAt(body, 'processingFailureReason')) };
  } catch (error) {
    if (isHidden(error)) return { status: '', reason: '', hidden: error.failure };
    throw error;
  }
}

function pollLater(upload: Upload, note: Message): StepResult {
  return proceed({ ...upload, polls: upload.polls + 1 }, note, delayAfter(POLL_MS, upload.polls));
}

/**
 * Commits to sending the post. Before a page's post is sent again, its list is checked first, regardless of LinkedIn's
 * response to the previous send.
 */
async function offer({ session }: Work, upload: Upload, note: Message): Promise<StepResult> {
  if (upload.offers > 0 && isOrganization(session.remoteId)) {
    const { post } = await findByVideo(session, upload);
    if (post) return verifyFirst(upload, say('match_unclear'));
  }
  return readyToCommit({ ...upload, offers: upload.offers + 1 }, note);
}

function processingFailed(reason: string): StepResult {
  return failed(withWords(rejected('video', say('video_not_processed')), reason));
}
