/**
 * Establishes the outcome of a send of the last chunk, with a response (`confirm`) or without one (`verify`).
 *
 * The publish id is authoritative: if bytes are missing, nothing was posted. If TikTok or we do not know the id, a
 * public post may still be in the account's video list. Its absence proves nothing, because moderation may take hours.
 */
import { MINUTE, SECOND } from '../../lib/time.ts';
import type { Message } from '../../messages/message.ts';
import type { ConfirmResult, Fingerprint, JsonObject, Session, VerifyResult, Work } from '../contract.ts';
import { collapsedText } from '../kit/comparable-text.ts';
import type { Delays } from '../kit/delays.ts';
import { nullIf } from '../kit/failures.ts';
import { numberAt, textAt } from '../kit/json.ts';
import { newItems, type PagedList, readPages } from '../kit/pages.ts';
import { failed, notPosted, pollAgain, stillUnknown } from '../kit/results.ts';
import { call } from './api.ts';
import { failReason } from './classify.ts';
import { privacyOf } from './limits.ts';
import { say } from './messages.ts';
import { chunkWith, isExpired, planOf, type Upload, uploadOf } from './upload.ts';
import { listVideos } from './watch.ts';

/** Age of an upload whose complete public post has no id, to search the list, ms. For some posts it never comes. */
const SEARCH_AFTER_MS = 3 * MINUTE;
const MAX_PAGES = 5;
/** Tolerance for whole-second timestamps and network delay, ms. */
const CLOCK_SLACK_MS = 10 * SECOND;
/** The Display API shows 150 characters of a text. A shown text with at least this many counts as truncated. */
const SHOWN_LETTERS = 140;
/** Processing takes seconds; moderation takes a minute, sometimes hours. TikTok allows 30 status queries per minute. */
const POLL_MS: Delays = [SECOND, SECOND, 2 * SECOND, 5 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE];

/**
 * Reads the status of a publish; null if TikTok does not know its id. TikTok does not document how long it keeps ids,
 * so null does not mean "not posted". @throws PlatformError
 */
export async function pollStatus({ session, media }: Work, { publishId }: Upload) {
  await session.spend('status');
  const response = await call(session, 'POST', '/v2/post/publish/status/fetch/', { publish_id: publishId }).catch(
    nullIf(({ platformCode }) => platformCode === 'invalid_publish_id'),
  );
  return response && readStatus(response.data, media.bytes);
}

/** @param bytes size of the video. If TikTok has all of them, PROCESSING_UPLOAD means that it processes the video. */
export function readStatus(data: unknown, bytes: number) {
  const uploaded = numberAt(data, 'uploaded_bytes');
  // An array of bare 64-bit numbers; in older responses a single number. The misspelling is TikTok's.
  const postId = textAt(data, 'publicaly_available_post_id', 0) || textAt(data, 'publicaly_available_post_id');
  return {
    state: stateOf(textAt(data, 'status'), uploaded !== null && uploaded >= bytes),
    /** Bytes received; null if the response omits it. */
    uploaded,
    failReason: textAt(data, 'fail_reason'),
    /** Id of the public post as decimal digits; "" until it exists. */
    postId: /^[1-9]\d*$/.test(postId) ? postId : '',
  };
}

function stateOf(status: string, isWhole: boolean): 'uploading' | 'working' | 'complete' | 'failed' {
  if (status === 'PUBLISH_COMPLETE') return 'complete';
  if (status === 'FAILED') return 'failed';
  return status === 'PROCESSING_UPLOAD' && !isWhole ? 'uploading' : 'working';
}

/** Polls until TikTok has published the video or reports why it did not. @throws PlatformError */
export async function confirm(work: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const result = await verify(work, checkpoint);
  if (result.then !== 'notPosted' && result.then !== 'stillUnknown') return result;
  return confirmLater(uploadOf(checkpoint), result.then === 'notPosted' ? say('processing') : result.note);
}

/** @param fingerprint defaults to that of the upload @throws PlatformError if a request fails */
export async function verify(
  work: Work,
  checkpoint: JsonObject | null,
  fingerprint?: Fingerprint,
): Promise<VerifyResult> {
  const { session } = work;
  const upload = uploadOf(checkpoint);
  const status = upload.publishId ? await pollStatus(work, upload) : null;
  if (!status) return findPublic(work, upload, fingerprint);
  if (status.state === 'failed') return failed(failReason(status.failReason));
  if (status.state === 'uploading')
    return upload.contradicted ? findPublic(work, upload, fingerprint) : continued(work, upload, status.uploaded);
  if (status.state === 'working') return confirmLater(upload, say('processing'));
  if (status.postId) return published(session, upload, status.postId, say('posted'));
  if (upload.privacy === 'PUBLIC_TO_EVERYONE') {
    const isDue = session.now() - upload.openedAt >= SEARCH_AFTER_MS;
    const result = isDue ? await findPublic(work, upload, fingerprint) : null;
    return result?.then === 'posted' ? result : confirmLater({ ...upload, complete: true }, say('published_in_review'));
  }
  // Only public posts get an id. Posts with any other privacy are finished here.
  const note = say('posted_as', { visibility: upload.privacy });
  return { then: 'posted', published: { remoteId: null, url: null, publishedAt: null }, note };
}

/** Bytes are missing, so the same upload continues. It posts only once: TikTok rejects ranges that it has accepted. */
function continued({ session, media }: Work, upload: Upload, uploaded: number | null): VerifyResult {
  if (uploaded === null && isExpired(upload, session.now())) return stillUnknown(say('upload_offset_missing'));
  const { first } = chunkWith(planOf(media.bytes, upload.chunkSize), uploaded ?? upload.sent);
  return notPosted({ ...upload, sent: first, strays: 0 }, say('upload_continued', { receivedBytes: first }));
}

export function confirmLater(upload: Upload, note: Message): ConfirmResult {
  return { ...pollAgain(upload, POLL_MS, note), ...(upload.complete ? { complete: true } : {}) };
}

/** The result for a public post, with its URL. */
function published(session: Session, upload: Upload, postId: string, note: Message): ConfirmResult {
  const username = encodeURIComponent(upload.username || session.username);
  const url = `${session.endpoints.www}/@${username}/video/${postId}`;
  return { then: 'posted', published: { remoteId: postId, url, publishedAt: null }, note };
}

/** Finds a public post with our text and duration that is newer than the upload. @throws PlatformError */
export async function findPublic(
  { session, post, media: { durationMs } }: Work,
  upload: Upload,
  fingerprint: Fingerprint = { text: post.text, durationMs, committedAt: upload.openedAt },
): Promise<VerifyResult> {
  const privacy = upload.privacy || privacyOf(post, session);
  if (privacy !== 'PUBLIC_TO_EVERYONE') return stillUnknown(say('upload_unknown'));
  if (comparable(fingerprint.text) === '') return stillUnknown(say('text_missing'));
  // Any send since the upload was opened may have published it.
  const { items, complete } = await videosSince(session, upload.openedAt || fingerprint.committedAt);
  if (!complete) return stillUnknown(say('list_too_long'));
  const matches = items.filter((video) => isLike(video, fingerprint));
  if (matches.length > 1) return stillUnknown(say('several_matches'));
  const postId = textAt(matches[0], 'id');
  return postId ? published(session, upload, postId, say('post_found')) : stillUnknown(say('post_not_shown_yet'));
}

/** Lists the account's public videos created after `since` (our clock, ms). */
function videosSince(session: Session, since: number): Promise<PagedList<unknown>> {
  return readPages(MAX_PAGES, async (cursor) => {
    const { aheadMs, ...page } = await listVideos(session, cursor);
    const isNew = (video: unknown) =>
      (numberAt(video, 'create_time') ?? 0) * SECOND >= since + aheadMs - CLOCK_SLACK_MS;
    return newItems(page, isNew);
  });
}

/** Whether a listed video has our text, possibly truncated, and our duration in whole seconds. */
export function isLike(video: unknown, { text, durationMs }: Fingerprint): boolean {
  const seconds = numberAt(video, 'duration');
  if (seconds === null || Math.abs(seconds * SECOND - durationMs) > SECOND) return false;
  const ours = comparable(text);
  return [textAt(video, 'video_description'), textAt(video, 'title')].some((listed) => {
    const shown = comparable(listed);
    const start = comparable(listed.replace(/(…|\.\.\.)$/, ''));
    return (shown !== '' && shown === ours) || (start.length >= SHOWN_LETTERS && ours.startsWith(start));
  });
}

const comparable = (text: string) => collapsedText(text, 'NFKC').toLowerCase();
