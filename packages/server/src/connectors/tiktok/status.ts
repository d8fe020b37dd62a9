/** Reads the status of a publish (`status/fetch`) and maps it to a result. */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { ConfirmResult, Session } from '../contract.ts';
import type { Delays } from '../kit/delays.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { failed, pollAgain } from '../kit/results.ts';
import { call } from './api.ts';
import { failReason } from './classify.ts';
import type { Upload } from './upload.ts';

export interface PublishStatus {
  state: 'uploading' | 'working' | 'complete' | 'failed';
  /** Bytes received; null if the response omits it. */
  uploaded: number | null;
  failReason: string;
  /** Id of the public post as decimal digits; "" until it exists. */
  postId: string;
}

/** @throws PlatformError; `invalid_publish_id` if TikTok does not know the publish id (any more) */
export async function pollStatus(session: Session, publishId: string, bytes: number): Promise<PublishStatus> {
  await session.spend('status');
  const { data } = await call(session, 'POST', '/v2/post/publish/status/fetch/', { publish_id: publishId });
  return readStatus(data, bytes);
}

/**
 * Whether TikTok no longer knows the publish id. How long ids are kept is not documented, so this does not mean "not
 * posted".
 */
export function isForgotten(error: unknown): boolean {
  return error instanceof PlatformError && error.failure.platformCode === 'invalid_publish_id';
}

/**
 * @param bytes size of the whole video. If TikTok has all of them, PROCESSING_UPLOAD means that it is processing the
 * video.
 */
export function readStatus(data: unknown, bytes: number): PublishStatus {
  const word = textAt(data, 'status');
  const uploaded = numberAt(data, 'uploaded_bytes');
  // An array of bare 64-bit numbers; in older responses a single number. The misspelling is TikTok's.
  const ids = at(data, 'publicaly_available_post_id');
  const postId = textAt({ id: Array.isArray(ids) ? ids[0] : ids }, 'id');
  return {
    state: stateOf(word, uploaded !== null && uploaded >= bytes),
    uploaded,
    failReason: textAt(data, 'fail_reason'),
    postId: /^[1-9]\d*$/.test(postId) ? postId : '',
  };
}

function stateOf(word: string, whole: boolean): PublishStatus['state'] {
  if (word === 'PUBLISH_COMPLETE') return 'complete';
  if (word === 'FAILED') return 'failed';
  return word === 'PROCESSING_UPLOAD' && !whole ? 'uploading' : 'working';
}

/** Processing takes seconds; moderation takes a minute, sometimes hours. TikTok allows 30 status queries per minute. */
const POLL_MS: Delays = [1_000, 2_000, 5_000, 15_000, 30_000, 60_000, 300_000];

/** Schedules the next poll with an increasing delay. */
export function confirmLater(upload: Upload, note: string): ConfirmResult {
  return { ...pollAgain(upload, POLL_MS, note), ...(upload.complete ? { complete: true } : {}) };
}

/** Maps a status to a result once TikTok has all bytes. */
export function followed(session: Session, upload: Upload, status: PublishStatus): ConfirmResult {
  if (status.state === 'failed') return failed(failReason(status.failReason || 'internal'));
  if (status.state !== 'complete') return confirmLater(upload, 'TikTok is processing the video.');
  if (status.postId) return published(session, upload, status.postId, 'Posted.');
  // Only public posts get an id. Posts with any other privacy are finished here.
  if (upload.privacy !== 'PUBLIC_TO_EVERYONE')
    return {
      then: 'posted',
      published: { remoteId: null, url: null, publishedAt: null },
      note: 'Posted with the chosen privacy.',
    };
  return confirmLater({ ...upload, complete: true }, 'Done; TikTok has not made it public yet.');
}

export type Posted = Extract<ConfirmResult, { then: 'posted' }>;

/** The result for a public post, with its URL. */
export function published(session: Session, upload: Pick<Upload, 'username'>, postId: string, note: string): Posted {
  const username = encodeURIComponent(upload.username || session.username);
  const url = `${session.endpoints.www}/@${username}/video/${postId}`;
  return { then: 'posted', published: { remoteId: postId, url, publishedAt: null }, note };
}
