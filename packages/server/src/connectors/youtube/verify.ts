/**
 * Establishes the outcome of a send of the last part, with a response (`confirm`) or without one (`verify`).
 *
 * The session states exactly how many bytes it has. If the session is gone, the channel's uploads are searched for our
 * file name. Once YouTube has the whole video, its state decides (`video` resource: `status`, `processingDetails`).
 */
import type { Message } from '../../messages/message.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../time.ts';
import type { ConfirmResult, Cover, Fingerprint, JsonObject, Session, VerifyResult, Work } from '../contract.ts';
import { classify, type ErrorTable } from '../kit/classify.ts';
import { tryCover } from '../kit/cover.ts';
import type { Delays } from '../kit/delays.ts';
import { nullIf, rejected, transient } from '../kit/failures.ts';
import { numberAt, textAt } from '../kit/json.ts';
import { newItems, type PagedList, readPages } from '../kit/pages.ts';
import { bearer } from '../kit/requests.ts';
import { failed, notPosted, pollAgain, stillUnknown } from '../kit/results.ts';
import { list } from './api.ts';
import { failureOf } from './classify.ts';
import { privacyOf, resourceOf } from './limits.ts';
import { say } from './messages.ts';
import { fileNameOf, readSession, UNOPENED, type Upload, uploadOf } from './upload.ts';

/** Tolerance for whole-second timestamps and network delay, ms. */
const CLOCK_SLACK_MS = MINUTE;
/** How long after a send the list is conclusive when the session is gone, ms. */
const LIST_SETTLE_MS = 15 * MINUTE;
const LIST_SETTLE_SANDBOX_MS = 5 * SECOND;
/** A video that is not listed for this long counts as deleted, ms. */
const MISSING_FOR_MS = 15 * MINUTE;
/** A short video takes seconds to a minute. Each poll costs one of 10,000 quota units per day. */
const POLL_MS: Delays = [2_000, 5_000, 10_000, 30_000, MINUTE, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE];
/** Delay before a new upload of a video whose upload YouTube aborted. Each upload counts against the app's daily ones. */
const RESTART_AFTER_MS = HOUR;
/** Age limit of earlier uploads, ms: longer than any target is processed, including its platform's daily waits. */
const EARLIER_MS = 8 * DAY;
/** Maximum duration of a Short, ms. Shorts are also portrait or square. */
const SHORT_MS = 3 * MINUTE;
const PAGE = 50;
const MAX_PAGES = 4;

/**
 * Sets the thumbnail, then polls until YouTube has processed the video or reports why it did not. @throws PlatformError
 */
export async function confirm(work: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const upload = uploadOf(checkpoint);
  if (!upload.covered) return withCover(work, upload);
  const part = 'snippet,status,processingDetails';
  const { items } = await list(work.session, 'videos', { part, id: upload.videoId });
  const [video] = items;
  const result = video === undefined ? missing(work.session, upload) : resultOf(work, upload, video);
  if (result.then !== 'failed' || result.failure.kind !== 'rejected' || result.failure.what !== 'duplicate')
    return result;
  // The original may be an earlier upload of this same post that became visible late.
  const earlier = await earlierUpload(work, upload.videoId);
  return earlier ? watched(upload, earlier) : result;
}

/** Sets the thumbnail of an uploaded video. A failure is only noted, because the video exists either way. */
async function withCover(work: Work, upload: Upload): Promise<ConfirmResult> {
  const reason = await tryCover(work.media, (cover) => sendCover(work, upload, cover));
  const note = reason ? say('cover_rejected', { reason }) : say('cover_set');
  return { then: 'confirming', checkpoint: { ...upload, covered: true }, afterMs: 0, note };
}

/** @throws PlatformError, NetworkError, BudgetEmpty */
async function sendCover({ session }: Work, { videoId }: Upload, { bytes, mime }: Cover): Promise<void> {
  await session.spend('pictures');
  const query = new URLSearchParams({ videoId, uploadType: 'media' });
  const response = await session.http({
    method: 'POST',
    url: `${session.endpoints.api}/upload/youtube/v3/thumbnails/set?${query}`,
    headers: bearer(session.secret),
    body: { kind: 'bytes', bytes, type: mime },
  });
  if (response.status !== 200) throw new PlatformError(failureOf(response, session.now()));
}

/** YouTube has the whole video; its id identifies it from now on. */
export function watched(upload: Upload, videoId: string): ConfirmResult {
  return pollAgain({ ...upload, videoId, polls: 0 }, POLL_MS, say('upload_processing'));
}

/** The list does not contain the video; at first, it may only lag behind. */
function missing({ now }: Session, upload: Upload): ConfirmResult {
  const missingSince = upload.missingSince || now();
  if (now() - missingSince >= MISSING_FOR_MS) return failed(DELETED);
  return pollAgain({ ...upload, missingSince }, POLL_MS, say('post_not_shown'));
}

/** Maps a video's state to a result. @param video the `video` resource */
function resultOf({ session, media }: Work, upload: Upload, video: unknown): ConfirmResult {
  const failure = failureIn(video);
  if (failure) return failed(failure);
  if (textAt(video, 'status', 'uploadStatus') !== 'processed')
    return pollAgain({ ...upload, missingSince: 0 }, POLL_MS, say('processing'));
  const publishedAt = Date.parse(textAt(video, 'snippet', 'publishedAt'));
  const visibility = textAt(video, 'status', 'privacyStatus');
  const change = visibilityChange(visibility, upload.privacy);
  // Portrait or square short videos get a Shorts URL. YouTube redirects if the video is not a Short.
  const isShort = media.height >= media.width && media.durationMs <= SHORT_MS;
  return {
    then: 'posted',
    published: {
      remoteId: upload.videoId,
      url: `${session.endpoints.www}/${isShort ? 'shorts/' : 'watch?v='}${upload.videoId}`,
      publishedAt: Number.isNaN(publishedAt) ? null : publishedAt,
      ...(change ? { detail: change.text } : {}),
    },
    note: visibility ? say('posted_as', { visibility }) : say('posted'),
  };
}

/** Returns what to tell the user if the visibility is not the requested one. */
function visibilityChange(visible: string, requested: string): Message | null {
  if (visible === '' || requested === '' || visible === requested) return null;
  return say(visible === 'private' ? 'visibility_locked' : 'visibility_changed', { visible, requested });
}

const DELETED: Failure = { ...rejected('other', say('video_deleted')), platformCode: 'deleted' };

const REJECTIONS: ErrorTable = [
  { code: 'duplicate', failure: rejected('duplicate', say('duplicate_rejected')) },
  { code: 'length', failure: rejected('video', say('video_too_long')) },
  {
    code: ['uploaderAccountSuspended', 'uploaderAccountClosed'],
    failure: rejected('policy', say('channel_closed')),
  },
  { failure: ({ code }) => rejected('policy', say('post_rejected', { code })) },
];

/** Why a video will not appear, or null if it has not failed. */
export function failureIn(video: unknown): Failure | null {
  const state = textAt(video, 'status', 'uploadStatus');
  if (state === 'deleted') return DELETED;
  if (state === 'rejected')
    return classify(REJECTIONS, { code: textAt(video, 'status', 'rejectionReason') || 'rejected', message: '' });
  if (state === 'failed') return unprocessed(textAt(video, 'status', 'failureReason'));
  if (textAt(video, 'processingDetails', 'processingStatus') === 'failed' && state !== 'processed')
    return unprocessed(textAt(video, 'processingDetails', 'processingFailureReason'));
  return null;
}

function unprocessed(reason: string): Failure {
  const code = reason || 'failed';
  const detail = say('processing_failed', { code });
  const isAborted = reason === 'uploadAborted' || reason === 'uploadFailed';
  return { ...(isAborted ? transient(detail, RESTART_AFTER_MS) : rejected('video', detail)), platformCode: code };
}

/** @throws PlatformError if a request fails */
export async function verify(
  work: Work,
  checkpoint: JsonObject | null,
  fingerprint: Fingerprint,
): Promise<VerifyResult> {
  const upload = uploadOf(checkpoint);
  if (upload.videoId) return confirm(work, upload);
  if (!upload.uri) return search(work, null, fingerprint);
  const progress = await readSession(work, upload.uri);
  if (progress.state === 'whole') return watched(upload, progress.videoId);
  if (progress.state === 'gone') return search(work, upload, fingerprint);
  const { stored, uri } = progress;
  if (stored === null || stored >= work.media.bytes) return stillUnknown(say('upload_offset_missing'));
  const resumed: Upload = { ...upload, uri: uri || upload.uri, sent: stored, doubt: true, strays: 0 };
  return notPosted(resumed, say('upload_continued', { receivedBytes: stored }));
}

/** Searches the uploads that are newer than the session. @throws PlatformError */
async function search(work: Work, upload: Upload | null, { committedAt }: Fingerprint): Promise<VerifyResult> {
  const { session, post } = work;
  const { items: videos, complete } = await videosSince(session, (upload?.openedAt || committedAt) - CLOCK_SLACK_MS);
  if (!complete) return stillUnknown(say('list_too_long'));
  const named = videos.filter((video) => isNamed(video, work));
  // If several videos have our file name, the failed ones were replaced by a later upload.
  const sound = named.length > 1 ? named.filter((video) => !failureIn(video)) : named;
  const matches = named.length > 0 ? sound : videos.filter((video) => isLike(video, work));
  const [found] = matches;
  if (matches.length > 1) return stillUnknown(say('several_matches'));
  if (found !== undefined) {
    const isCertain = named.length > 0 || numberAt(found, 'fileDetails', 'fileSize') === work.media.bytes;
    if (!isCertain) return stillUnknown(say('match_unclear'));
    return watched(upload ?? { ...UNOPENED, privacy: privacyOf(post, session) }, textAt(found, 'id'));
  }
  const leftMs = committedAt + (session.sandbox ? LIST_SETTLE_SANDBOX_MS : LIST_SETTLE_MS) - session.now();
  return leftMs > 0 ? stillUnknown(say('post_not_shown_yet'), leftMs) : notPosted(null, say('post_not_shown'));
}

/** Whether a video has the file name that we gave it. */
function isNamed(video: unknown, work: Pick<Work, 'post' | 'media'>): boolean {
  return textAt(video, 'fileDetails', 'fileName') === fileNameOf(work);
}

/** For a video without a file name: whether it has our title and its size is ours or unknown. */
export function isLike(video: unknown, { post, media }: Pick<Work, 'post' | 'media'>): boolean {
  if (textAt(video, 'fileDetails', 'fileName') !== '') return false;
  const size = numberAt(video, 'fileDetails', 'fileSize');
  const title = textAt(resourceOf(post, 'public'), 'snippet', 'title');
  return textAt(video, 'snippet', 'title') === title && (size === null || size === media.bytes);
}

/**
 * Returns the id of another video with our file name that YouTube has not rejected, or "".
 * @throws PlatformError
 */
async function earlierUpload(work: Work, videoId: string): Promise<string> {
  const { items } = await videosSince(work.session, work.session.now() - EARLIER_MS);
  const isOther = (video: unknown) => textAt(video, 'id') !== videoId;
  return textAt(
    items.find((video) => isOther(video) && isNamed(video, work) && failureIn(video) === null),
    'id',
  );
}

/**
 * Lists the videos uploaded since a time of our clock, with the file details that only their owner sees. Empty if there
 * are more than `MAX_PAGES` pages. @throws PlatformError
 */
async function videosSince(session: Session, since: number): Promise<PagedList<unknown>> {
  const playlistId = textAt(session.extra, 'uploads') || session.remoteId.replace(/^UC/, 'UU');
  const query = { part: 'snippet,contentDetails', playlistId, maxResults: String(PAGE) };
  const { items, complete } = await readPages(MAX_PAGES, async (pageToken) => {
    const page = await list(session, 'playlistItems', { ...query, ...(pageToken ? { pageToken } : {}) }).catch(
      // A channel that never had an upload has no uploads playlist.
      nullIf(({ platformCode }) => platformCode === 'playlistNotFound'),
    );
    if (!page) return { items: [], next: '' };
    const isNew = (item: unknown) => !(addedAt(item) < since + page.aheadMs);
    return newItems({ items: page.items, next: textAt(page.body, 'nextPageToken') }, isNew);
  });
  const ids = complete ? items.map(idOf).filter(Boolean) : [];
  const videos: unknown[] = [];
  for (let first = 0; first < ids.length; first += PAGE) {
    const id = ids.slice(first, first + PAGE).join(',');
    videos.push(...(await list(session, 'videos', { part: 'snippet,status,fileDetails', id })).items);
  }
  return { items: videos, complete };
}

function idOf(item: unknown): string {
  return textAt(item, 'contentDetails', 'videoId') || textAt(item, 'snippet', 'resourceId', 'videoId');
}

/** When it was added to the list, ms since the epoch. NaN if not stated; such an item may be new. */
function addedAt(item: unknown): number {
  return Date.parse(textAt(item, 'snippet', 'publishedAt') || textAt(item, 'contentDetails', 'videoPublishedAt'));
}
