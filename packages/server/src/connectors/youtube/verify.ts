/**
 * Establishes the outcome of a send of the last part, with a response (`confirm`) or without one (`verify`). The session
 * states exactly how many bytes it has. If the session is gone, the channel's uploads are searched for our file name.
 * Once YouTube has the whole video, its state decides (`video` resource: `status`, `processingDetails`).
 */
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/time.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { ConfirmResult, Cover, Fingerprint, JsonObject, Session, VerifyResult, Work } from '../contract.ts';
import { classify, type ErrorTable } from '../kit/classify.ts';
import { tryCover } from '../kit/cover.ts';
import { rejected, transient } from '../kit/failures.ts';
import { numberAt, textAt } from '../kit/json.ts';
import { newItems, type PagedList, readPages } from '../kit/pages.ts';
import { bearer } from '../kit/requests.ts';
import { failed, notPosted, pollAgain, removed, stillUnknown } from '../kit/results.ts';
import { list } from './api.ts';
import { failureOf } from './classify.ts';
import { privacyOf, resourceOf } from './limits.ts';
import { say } from './messages.ts';
import { fileNameOf, POLL_MS, readSession, type Upload, uploadOf, watched } from './publish.ts';
import { listUploads, videoIdOf } from './watch.ts';

/** Tolerance for whole-second timestamps and network delay, ms. */
const CLOCK_SLACK_MS = MINUTE;
/** How long after a send the list is conclusive when the session is gone, ms. */
const LIST_SETTLE_MS = { platform: 15 * MINUTE, sandbox: 5 * SECOND };
/** A video that is not listed for this long counts as deleted, ms. */
const MISSING_FOR_MS = 15 * MINUTE;
/** Delay before a new upload of a video whose upload YouTube aborted. Each upload counts against the app's daily ones. */
const RESTART_AFTER_MS = HOUR;
/** Age limit of earlier uploads, ms: longer than any target is processed, including its platform's daily waits. */
const EARLIER_MS = 8 * DAY;
/** Maximum duration of a Short, ms. Shorts are also portrait or square. */
const SHORT_MS = 3 * MINUTE;
const MAX_PAGES = 4;

/** Sets the thumbnail, then polls until YouTube has processed the video or rejected it. @throws PlatformError */
export async function confirm(work: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const upload = uploadOf(checkpoint);
  if (!upload.covered) return withCover(work, upload);
  const query = { part: 'snippet,status,processingDetails', id: upload.videoId };
  const [video] = (await list(work.session, 'videos', query)).items;
  const result = video === undefined ? missing(work.session, upload) : resultOf(work, upload, video);
  const isDuplicate = result.then === 'failed' && result.failure.platformCode === 'duplicate';
  // The original may be an earlier upload of this same post that became visible late.
  const earlier = isDuplicate && (await earlierUpload(work, upload.videoId));
  return earlier ? watched(upload, earlier) : result;
}

/** Sets the thumbnail of an uploaded video. A failure is only noted, because the video exists either way. */
async function withCover({ session, media }: Work, upload: Upload): Promise<ConfirmResult> {
  const query = new URLSearchParams({ videoId: upload.videoId, uploadType: 'media' });
  const reason = await tryCover(media, async ({ bytes, mime }: Cover) => {
    await session.spend('pictures');
    const response = await session.http({
      method: 'POST',
      url: `${session.endpoints.api}/upload/youtube/v3/thumbnails/set?${query}`,
      headers: bearer(session.secret),
      body: { kind: 'bytes', bytes, type: mime },
    });
    if (response.status !== 200) throw new PlatformError(failureOf(response, session.now()));
  });
  const note = reason ? say('cover_rejected', { reason }) : say('cover_set');
  return { then: 'confirming', checkpoint: { ...upload, covered: true }, afterMs: 0, note };
}

/** The list does not contain the video; at first, it may only lag behind. */
function missing({ now }: Session, upload: Upload): ConfirmResult {
  const missingSince = upload.missingSince || now();
  if (now() - missingSince >= MISSING_FOR_MS) return removed(DELETED);
  return pollAgain({ ...upload, missingSince }, POLL_MS, say('post_not_shown'));
}

/** Maps a video's state to a result. @param video the `video` resource */
function resultOf({ session, media }: Work, upload: Upload, video: unknown): ConfirmResult {
  const failure = failureIn(video);
  if (failure) return failure === DELETED ? removed(failure) : failed(failure);
  if (textAt(video, 'status', 'uploadStatus') !== 'processed')
    return pollAgain({ ...upload, missingSince: 0 }, POLL_MS, say('processing'));
  const publishedAt = Date.parse(textAt(video, 'snippet', 'publishedAt'));
  const [visible, requested] = [textAt(video, 'status', 'privacyStatus'), upload.privacy];
  const isChanged = visible !== '' && requested !== '' && visible !== requested;
  const change = visible === 'private' ? 'visibility_locked' : 'visibility_changed';
  // Portrait or square short videos get a Shorts URL. YouTube redirects if the video is not a Short.
  const path = media.height >= media.width && media.durationMs <= SHORT_MS ? 'shorts/' : 'watch?v=';
  return {
    then: 'posted',
    published: {
      remoteId: upload.videoId,
      url: `${session.endpoints.www}/${path}${upload.videoId}`,
      publishedAt: Number.isNaN(publishedAt) ? null : publishedAt,
      ...(isChanged ? { detail: say(change, { visible, requested }).text } : {}),
    },
    note: visible ? say('posted_as', { visibility: visible }) : say('posted'),
  };
}

const DELETED: Failure = { ...rejected('other', say('video_deleted')), platformCode: 'deleted' };

const REJECTIONS: ErrorTable = [
  { code: 'duplicate', failure: rejected('duplicate', say('duplicate_rejected')) },
  { code: 'length', failure: rejected('video', say('video_too_long')) },
  { code: /^uploaderAccount(Suspended|Closed)$/, failure: rejected('policy', say('channel_closed')) },
  { failure: ({ code }) => rejected('policy', say('post_rejected', { code })) },
];

/** Why a video will not appear, or null if it has not failed. */
export function failureIn(video: unknown): Failure | null {
  const state = textAt(video, 'status', 'uploadStatus');
  if (state === 'deleted') return DELETED;
  if (state === 'rejected')
    return classify(REJECTIONS, { code: textAt(video, 'status', 'rejectionReason') || state, message: '' });
  if (state === 'failed') return unprocessed(textAt(video, 'status', 'failureReason') || state);
  const processing = textAt(video, 'processingDetails', 'processingStatus');
  if (processing !== 'failed' || state === 'processed') return null;
  return unprocessed(textAt(video, 'processingDetails', 'processingFailureReason') || processing);
}

function unprocessed(code: string): Failure {
  const detail = say('processing_failed', { code });
  const isAborted = code === 'uploadAborted' || code === 'uploadFailed';
  return { ...(isAborted ? transient(detail, RESTART_AFTER_MS) : rejected('video', detail)), platformCode: code };
}

/** @throws PlatformError */
export async function verify(work: Work, checkpoint: JsonObject | null, sent: Fingerprint): Promise<VerifyResult> {
  const upload = uploadOf(checkpoint);
  if (upload.videoId) return confirm(work, upload);
  const progress = upload.uri ? await readSession(work, upload.uri) : null;
  if (progress?.state === 'whole') return watched(upload, progress.videoId);
  if (progress?.state !== 'partial') return search(work, upload, sent);
  const { stored, uri } = progress;
  if (stored === null || stored >= work.media.bytes) return stillUnknown(say('upload_offset_missing'));
  const resumed: Upload = { ...upload, uri: uri || upload.uri, sent: stored, doubt: true, strays: 0 };
  return notPosted(resumed, say('upload_continued', { receivedBytes: stored }));
}

/** Searches the uploads that are newer than the session. @throws PlatformError */
async function search(work: Work, upload: Upload, { committedAt }: Fingerprint): Promise<VerifyResult> {
  const { session, post, media } = work;
  const { items: videos, complete } = await videosSince(session, (upload.openedAt || committedAt) - CLOCK_SLACK_MS);
  if (!complete) return stillUnknown(say('list_too_long'));
  const named = videos.filter((video) => isNamed(video, work));
  // If several videos have our file name, the failed ones were replaced by a later upload.
  const sound = named.length > 1 ? named.filter((video) => !failureIn(video)) : named;
  const matches = named.length > 0 ? sound : videos.filter((video) => isLike(video, work));
  const [found] = matches;
  if (matches.length > 1) return stillUnknown(say('several_matches'));
  if (found !== undefined) {
    if (named.length === 0 && numberAt(found, 'fileDetails', 'fileSize') !== media.bytes)
      return stillUnknown(say('match_unclear'));
    return watched({ ...upload, privacy: upload.privacy || privacyOf(post, session) }, textAt(found, 'id'));
  }
  const leftMs = committedAt + LIST_SETTLE_MS[session.sandbox ? 'sandbox' : 'platform'] - session.now();
  return leftMs > 0 ? stillUnknown(say('post_not_shown_yet'), leftMs) : notPosted(null, say('post_not_shown'));
}

/** Whether a video has the file name that we gave it. */
function isNamed(video: unknown, work: Work): boolean {
  return textAt(video, 'fileDetails', 'fileName') === fileNameOf(work);
}

/** For a video without a file name: whether it has our title and its size is ours or unknown. */
function isLike(video: unknown, { post, media }: Work): boolean {
  if (textAt(video, 'fileDetails', 'fileName') !== '') return false;
  const size = numberAt(video, 'fileDetails', 'fileSize');
  const title = textAt(resourceOf(post, 'public'), 'snippet', 'title');
  return textAt(video, 'snippet', 'title') === title && (size === null || size === media.bytes);
}

/** Returns the id of another video with our file name that YouTube has not rejected, or "". @throws PlatformError */
async function earlierUpload(work: Work, videoId: string): Promise<string> {
  const { items } = await videosSince(work.session, work.session.now() - EARLIER_MS);
  const isEarlier = (video: unknown) => textAt(video, 'id') !== videoId && isNamed(video, work) && !failureIn(video);
  return textAt(items.find(isEarlier), 'id');
}

/** Lists videos uploaded since a time of our clock, with details that only the owner sees. @throws PlatformError */
async function videosSince(session: Session, since: number): Promise<PagedList<unknown>> {
  return readPages(MAX_PAGES, async (pageToken) => {
    const { aheadMs, ...page } = await listUploads(session, pageToken);
    // An item without a time may be new.
    const isNew = (item: unknown) => !(Date.parse(textAt(item, 'snippet', 'publishedAt')) < since + aheadMs);
    const { items, next } = newItems(page, isNew);
    const id = items.map(videoIdOf).filter(Boolean).join();
    if (!id) return { items: [], next };
    return { items: (await list(session, 'videos', { part: 'snippet,status,fileDetails', id })).items, next };
  });
}
