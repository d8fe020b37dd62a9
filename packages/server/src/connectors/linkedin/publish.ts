/**
 * Steps before the irreversible request: open an upload, send its parts, finalize it, and poll until LinkedIn has
 * processed the video. A video that no post references is invisible, so every step can be repeated until the post is
 * sent.
 */
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { JsonObject, StepResult, Work } from '../contract.ts';
import { tryCover } from '../kit/cover.ts';
import { type Delays, delayAfter } from '../kit/delays.ts';
import { rejected, transient } from '../kit/failures.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { failed, proceed, readyToCommit, verifyFirst } from '../kit/results.ts';
import { tameWords } from '../kit/words.ts';
import { call, isOrganization } from './api.ts';
import { failureOf, NOT_ALLOWED } from './classify.ts';
import { escapeText, MAX_ESCAPED } from './text.ts';
import { etagOf, isWebAddress, partRequest, partsFrom, UNOPENED, type Upload, uploadOf } from './upload.ts';
import { findByVideo } from './verify.ts';

const MAX_REFUSED_UPLOADS = 3;
const RESTART_MS: Delays = [0, 60_000, 300_000, 900_000, 1_800_000];
const MAX_STUMBLES = 2;
const STUMBLE_PAUSE_MS = 60_000;
/** Delays between polls, in ms. Polls are few because a member has 150 requests a day. */
const POLL_MS: Delays = [2_000, 5_000, 5_000, 10_000, 10_000, 15_000, 30_000, 30_000, 60_000];
/** After this processing time in ms, a poll no longer counts as progress and the deadline of the post applies. */
const PATIENCE_MS = 15 * 60_000;
/** How long in ms a new video may return 404 or stay in `WAITING_UPLOAD`. */
const SETTLES_MS = 120_000;
const MAX_CLOSED = 3;
const CLOSED_PAUSE_MS = 10_000;
/** Maximum sends that were verified to have created no post, although LinkedIn did not report that. */
const MAX_VOIDS = 8;
/**
 * Delay before the next send in ms, by number of such sends. It grows so that a LinkedIn outage of hours does not fail
 * the post.
 */
const VOID_PAUSE_MS = [0, 0, 0, 60_000, 900_000, 3_600_000, 14_400_000, 28_800_000];
const VOID_PAUSE_SANDBOX_MS = 1_000;

/** Reports what LinkedIn would reject after the upload before making the first call. */
export async function begin(work: Work): Promise<StepResult> {
  const failure = misfit(work);
  return failure ? failed(failure) : open(work, uploadOf(null));
}

export async function step(work: Work, checkpoint: JsonObject): Promise<StepResult> {
  const upload = uploadOf(checkpoint);
  if (upload.sha256 !== work.media.sha256 && upload.offers === 0) return open(work, uploadOf(null));
  if (!upload.video) return open(work, upload);
  if (upload.parts.length > 0) return upload.coverUrl ? sendCover(work, upload) : sendPart(work, upload);
  if (!upload.finalizedAt) return finalize(work, upload);
  if (upload.voids >= MAX_VOIDS)
    return failedWith('other', `LinkedIn did not make the post, ${upload.voids} times, and did not say why.`);
  if (upload.voids > upload.rested) return rest(work, upload);
  return poll(work, upload);
}

function rest({ session }: Work, upload: Upload): StepResult {
  const pause = VOID_PAUSE_MS[upload.voids] ?? 0;
  const afterMs = session.sandbox ? Math.min(pause, VOID_PAUSE_SANDBOX_MS) : pause;
  const checkpoint = { ...upload, rested: upload.voids };
  return proceed(checkpoint, 'Preparing another attempt.', afterMs);
}

function misfit({ post, session }: Work): Failure | null {
  const escaped = escapeText(post.text).length;
  if (escaped > MAX_ESCAPED)
    return rejected(
      'caption',
      `The text has ${escaped} characters in LinkedIn's own form; at most ${MAX_ESCAPED} are allowed.`,
    );
  if (post.options.visibility === 'CONNECTIONS' && isOrganization(session.remoteId))
    return rejected('other', 'A page has no connections: choose another visibility.');
  return null;
}

async function open({ session, media }: Work, former: Upload): Promise<StepResult> {
  if (former.uploads === 0) {
    await session.spend('posts of the application');
    await session.spend('posts');
  }
  const json = {
    initializeUploadRequest: {
      owner: session.remoteId,
      fileSizeBytes: media.bytes,
      uploadCaptions: false,
      uploadThumbnail: !former.coverless,
    },
  };
  const response = await call(session, 'POST', '/rest/videos?action=initializeUpload', { json }).catch(notMine);
  const value = at(response.json(), 'value');
  const video = textAt(value, 'video');
  const parts = partsFrom(at(value, 'uploadInstructions'), media.bytes);
  if (!video || !parts) throw new PlatformError(transient('LinkedIn opened an upload that does not fit the video.'));
  const coverUrl = former.coverless ? '' : textAt(value, 'thumbnailUploadUrl');
  const upload: Upload = {
    ...former,
    ...UNOPENED,
    sha256: media.sha256,
    video,
    uploadToken: textAt(value, 'uploadToken'),
    expiresAt: numberAt(value, 'uploadUrlsExpireAt') ?? 0,
    parts,
    coverUrl: isWebAddress(coverUrl) ? coverUrl : '',
    openedAt: former.openedAt || session.now(),
    uploads: former.uploads + 1,
  };
  const note = `Upload opened: ${parts.length} ${parts.length === 1 ? 'part' : 'parts'}.`;
  return proceed(upload, note);
}

/**
 * Maps a `FORBIDDEN_RESOURCE` before the video exists to a missing permission: the video cannot be too new, so the
 * member may not post as this owner.
 */
function notMine(error: unknown): never {
  if (!(error instanceof PlatformError) || error.failure.platformCode !== 'FORBIDDEN_RESOURCE') throw error;
  throw new PlatformError({ ...error.failure, ...NOT_ALLOWED });
}

/**
 * Uploads the cover before the parts, so that it is present when the upload is finalized. One attempt; a failure does
 * not fail the post.
 */
async function sendCover({ session, media }: Work, upload: Upload): Promise<StepResult> {
  const trouble = await tryCover(media, async ({ bytes, mime: type }) => {
    const response = await session.http({ method: 'PUT', url: upload.coverUrl, body: { kind: 'bytes', type, bytes } });
    if (response.status < 200 || response.status > 299)
      throw new PlatformError(transient(`It answered ${response.status}.`));
  });
  const missing = trouble !== null;
  const next: Upload = { ...upload, coverUrl: '', coverMissing: missing, coverless: missing };
  const note = trouble ? `LinkedIn did not take the picture for the cover. ${trouble.text}` : 'The cover is there.';
  return proceed(next, note);
}

/** Sends one part. Sending a part again is safe: the last ETag counts. */
async function sendPart(work: Work, upload: Upload): Promise<StepResult> {
  const { session, media } = work;
  const [part, ...parts] = upload.parts;
  if (!part) return finalize(work, upload);
  if (upload.expiresAt > 0 && session.now() >= upload.expiresAt)
    return restart(work, upload, 'The upload addresses ran out.');
  const response = await session.http(partRequest(media, part));
  const etag = etagOf(response.headers);
  if ((response.status === 200 || response.status === 201) && etag) {
    const next: Upload = { ...upload, parts, etags: [...upload.etags, etag] };
    const note = `Sent ${part.last + 1} of ${media.bytes} bytes.`;
    return proceed(next, note);
  }
  const failure = failureOf(response, session.now());
  if (failure.platformCode === 'EXPIRED_UPLOAD_URL' || [403, 404, 410].includes(response.status))
    return restart(work, upload, 'LinkedIn no longer takes this upload.');
  // The upload URL carries its own permission, so a rejection says nothing about the account or the post.
  if (failure.kind === 'rateLimited') throw new PlatformError(failure);
  throw new PlatformError({
    kind: 'transient',
    status: response.status,
    ...(failure.platformCode ? { platformCode: failure.platformCode } : {}),
    detail: `LinkedIn did not take a part of the video (it answered ${response.status}).`,
  });
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
    if (failure.status === 404 || failure.platformCode === 'FORBIDDEN_RESOURCE')
      return closedYet(work, upload, failure);
    if (failure.status === 400) return afterRefusal(work, upload, failure);
    throw error;
  }
  return worked({ ...upload, finalizedAt: session.now() }, 'All parts are there; LinkedIn is processing the video.');
}

async function afterRefusal(work: Work, upload: Upload, refusal: Failure): Promise<StepResult> {
  const { status, reason } = await pollVideo(work, upload).catch(unlessHidden);
  if (status === 'PROCESSING_FAILED') return processingFailed(reason);
  if (status === 'PROCESSING' || status === 'AVAILABLE')
    return worked({ ...upload, finalizedAt: work.session.now() }, 'LinkedIn has all parts already.');
  const stumbles = upload.stumbles + 1;
  if (refusal.platformCode === 'UPDATING_ASSET_FAILED' && stumbles <= MAX_STUMBLES) {
    const checkpoint = { ...upload, stumbles };
    return proceed(checkpoint, `${refusal.detail} Trying again.`, STUMBLE_PAUSE_MS);
  }
  return restart(work, upload, 'LinkedIn could not put the parts together.', refusal);
}

/**
 * Maps 403 and 404 to an unknown status, because some members may not read their own videos. @throws any other error
 */
function unlessHidden(error: unknown): VideoStatus {
  if (error instanceof PlatformError && [403, 404].includes(error.failure.status ?? 0))
    return { status: '', reason: '' };
  throw error;
}

/** Retries a 403 or 404, because a new upload may be forbidden or unknown for a moment. */
function closedYet(work: Work, upload: Upload, failure: Failure): StepResult {
  const closed = upload.closed + 1;
  if (closed > MAX_CLOSED && failure.status === 404) return restart(work, upload, 'LinkedIn lost the upload.', failure);
  if (closed > MAX_CLOSED) return failed({ ...failure, ...NOT_ALLOWED });
  const note = 'LinkedIn does not let us at the upload (yet).';
  return proceed({ ...upload, closed }, note, CLOSED_PAUSE_MS * closed);
}

/** Polls until the video is `AVAILABLE`. A post that references it earlier may be rejected. */
async function poll(work: Work, upload: Upload): Promise<StepResult> {
  const { session } = work;
  let video: VideoStatus;
  try {
    video = await pollVideo(work, upload);
  } catch (error) {
    if (error instanceof PlatformError) return unseen(work, upload, error.failure);
    throw error;
  }
  if (video.status === 'AVAILABLE') return offer(work, upload, 'The video is ready.');
  if (video.status === 'PROCESSING_FAILED') return processingFailed(video.reason);
  const age = session.now() - upload.finalizedAt;
  if (video.status === 'WAITING_UPLOAD' && age > SETTLES_MS && upload.offers === 0) {
    if (upload.coverMissing) return restart(work, upload, 'LinkedIn may wait for the cover that it did not take.');
    const note = 'LinkedIn still waits for the parts to be put together; asking it once more.';
    return proceed({ ...upload, finalizedAt: 0 }, note);
  }
  const note = 'LinkedIn is processing the video.';
  if (age > PATIENCE_MS) throw new PlatformError(transient(note));
  return worked(upload, note);
}

/**
 * Handles a video that cannot be read. A new video may return 404 or 403 for a moment. LinkedIn does not document
 * whether a member's token may always read the member's own video. If it may not, the video is posted anyway: LinkedIn
 * rejects the post if it is too early.
 */
async function unseen(work: Work, upload: Upload, failure: Failure): Promise<StepResult> {
  const { session } = work;
  const isMember = !isOrganization(session.remoteId);
  if (failure.status === 404 && session.now() - upload.finalizedAt < SETTLES_MS)
    return worked(upload, 'LinkedIn does not show the video yet.');
  if (failure.status !== 403) throw new PlatformError(failure);
  const closed = upload.closed + 1;
  if (closed > MAX_CLOSED && isMember)
    return offer(work, upload, 'LinkedIn does not let us look at the video; posting it.');
  if (closed > MAX_CLOSED)
    return failed({ ...failure, kind: 'reconnect', detail: 'LinkedIn does not let this account at its own video.' });
  const note = 'LinkedIn does not let us look at the video (yet).';
  return proceed({ ...upload, closed }, note, CLOSED_PAUSE_MS * closed);
}

interface VideoStatus {
  status: string;
  reason: string;
}

/** Reads the status of the video. @throws PlatformError */
async function pollVideo({ session }: Work, upload: Upload): Promise<VideoStatus> {
  const body = (await call(session, 'GET', `/rest/videos/${encodeURIComponent(upload.video)}`)).json();
  return { status: textAt(body, 'status'), reason: tameWords(textAt(body, 'processingFailureReason')) };
}

function worked(upload: Upload, note: string): StepResult {
  const afterMs = delayAfter(POLL_MS, upload.polls);
  return proceed({ ...upload, polls: upload.polls + 1 }, note, afterMs);
}

/**
 * Commits to sending the post. Before a page's post is sent again, its list is checked first, regardless of LinkedIn's
 * response to the previous send.
 */
async function offer({ session }: Work, upload: Upload, note: string): Promise<StepResult> {
  if (upload.offers > 0 && isOrganization(session.remoteId)) {
    const { post } = await findByVideo(session, upload);
    if (post) return verifyFirst(upload, 'The page shows the post already.');
  }
  return readyToCommit({ ...upload, offers: upload.offers + 1 }, note);
}

function processingFailed(reason: string): StepResult {
  return failedWith('video', `LinkedIn could not process the video.${reason && ` It said: ${reason}`}`);
}

function failedWith(what: 'video' | 'other', detail: string): StepResult {
  return failed(rejected(what, detail));
}

/**
 * Starts a new upload; the previous one stays invisible. After `MAX_REFUSED_UPLOADS` rejected uploads the post fails.
 */
function restart({ media }: Work, upload: Upload, why: string, cause?: Failure): StepResult {
  if (cause?.kind === 'rejected' && upload.uploads >= MAX_REFUSED_UPLOADS)
    return failed({ ...cause, detail: `${why} ${cause.detail}` });
  const afterMs = delayAfter(RESTART_MS, upload.uploads - 1);
  const checkpoint = { ...upload, ...UNOPENED, sha256: media.sha256 };
  return proceed(checkpoint, `${why} Uploading the video again.`, afterMs);
}
