/** What TikTok says of a publish (`status/fetch`), and what follows from it. */
import type { ConfirmResult, Session } from '../contract.ts';
import { PlatformError } from '../kit/failure.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { call } from './api.ts';
import type { Upload } from './checkpoint.ts';
import { failReason } from './classify.ts';

export interface PublishStatus {
  state: 'uploading' | 'working' | 'complete' | 'failed';
  /** Bytes received; null where the answer has no such number. */
  uploaded: number | null;
  failReason: string;
  /** Id of the public post, digit for digit; "" until there is one. */
  postId: string;
}

/** @throws PlatformError; `invalid_publish_id` where TikTok does not know the publish (any more) */
export async function askStatus(session: Session, publishId: string, bytes: number): Promise<PublishStatus> {
  await session.spend('status');
  const { data } = await call(session, 'POST', '/v2/post/publish/status/fetch/', { publish_id: publishId });
  return readStatus(data, bytes);
}

/** Whether TikTok said that it does not know the publish. How long it does is not documented: this is no "no". */
export function isForgotten(error: unknown): boolean {
  return error instanceof PlatformError && error.failure.platformCode === 'invalid_publish_id';
}

/** @param bytes of the whole video: with all of them PROCESSING_UPLOAD means that it is worked on */
export function readStatus(data: unknown, bytes: number): PublishStatus {
  const word = textAt(data, 'status');
  const uploaded = numberAt(data, 'uploaded_bytes');
  // A list of bare 64-bit numbers, in older answers a bare number. The spelling is TikTok's.
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

/** Processing takes seconds, moderation a minute, sometimes hours; 30 questions a minute are allowed. */
const POLL_AFTER_MS = [1_000, 2_000, 5_000, 15_000, 30_000, 60_000];
const POLL_LATER_MS = 300_000;

/** The next question, after a pause that grows. */
export function askAgain(upload: Upload, note: string): ConfirmResult {
  return {
    then: 'confirming',
    checkpoint: { ...upload, polls: upload.polls + 1 },
    afterMs: POLL_AFTER_MS[upload.polls] ?? POLL_LATER_MS,
    note,
    ...(upload.complete ? { complete: true } : {}),
  };
}

/** What a status means once all bytes are there. */
export function followed(session: Session, upload: Upload, status: PublishStatus): ConfirmResult {
  if (status.state === 'failed') return { then: 'failed', failure: failReason(status.failReason || 'internal') };
  if (status.state !== 'complete') return askAgain(upload, 'TikTok is processing the video.');
  if (status.postId) return published(session, upload, status.postId, 'Posted.');
  // Only public posts get an id; the others are where they shall be.
  if (upload.privacy !== 'PUBLIC_TO_EVERYONE')
    return {
      then: 'posted',
      published: { remoteId: null, url: null, publishedAt: null },
      note: 'Posted with the chosen privacy.',
    };
  return askAgain({ ...upload, complete: true }, 'Done; TikTok has not made it public yet.');
}

export type Posted = Extract<ConfirmResult, { then: 'posted' }>;

/** A public post with its address. */
export function published(session: Session, upload: Pick<Upload, 'username'>, postId: string, note: string): Posted {
  const username = encodeURIComponent(upload.username || session.username);
  const url = `${session.endpoints.www}/@${username}/video/${postId}`;
  return { then: 'posted', published: { remoteId: postId, url, publishedAt: null }, note };
}
