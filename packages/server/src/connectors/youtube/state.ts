/** Maps the state of an uploaded video to a result (`video` resource: `status`, `processingDetails`). */
import type { Failure } from '../../outbound/platform-error.ts';
import type { ConfirmResult, Session, Work } from '../contract.ts';
import { classify, type ErrorTable } from '../kit/classify.ts';
import type { Delays } from '../kit/delays.ts';
import { rejected, transient } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import { failed, pollAgain } from '../kit/results.ts';
import type { Upload } from './upload.ts';

/** A video that is not listed for this long counts as deleted, ms. */
const MISSING_FOR_MS = 15 * 60_000;
/** A short video takes seconds to a minute. Each poll costs one of 10,000 quota units per day. */
const POLL_MS: Delays = [2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000, 900_000];
/**
 * Delay before a new upload of a video whose upload YouTube aborted, ms. Each upload counts against the app's daily
 * uploads.
 */
const RESTART_AFTER_MS = 3_600_000;
/** Maximum duration of a Short, ms. Shorts are also portrait or square. */
const SHORT_MS = 180_000;

/** YouTube has the whole video; its id identifies it from now on. */
export function watched(upload: Upload, videoId: string): ConfirmResult {
  return pollAgain({ ...upload, videoId, polls: 0 }, POLL_MS, 'YouTube has the whole video and is processing it.');
}

/** The list does not contain the video; at first, it may only lag behind. */
export function missing({ now }: Pick<Session, 'now'>, upload: Upload): ConfirmResult {
  const missingSince = upload.missingSince || now();
  if (now() - missingSince < MISSING_FOR_MS)
    return pollAgain({ ...upload, missingSince }, POLL_MS, 'YouTube does not show the video at the moment.');
  return failed(DELETED);
}

/** Maps a video's state to a result. @param video the `video` resource */
export function followed(work: Work, upload: Upload, video: unknown): ConfirmResult {
  const failure = failureIn(video);
  if (failure) return failed(failure);
  if (textAt(video, 'status', 'uploadStatus') !== 'processed')
    return pollAgain({ ...upload, missingSince: 0 }, POLL_MS, 'YouTube is processing the video.');
  const publishedAt = Date.parse(textAt(video, 'snippet', 'publishedAt'));
  const visible = textAt(video, 'status', 'privacyStatus');
  const lesser = visible !== '' && upload.privacy !== '' && visible !== upload.privacy;
  return {
    then: 'posted',
    published: {
      remoteId: upload.videoId,
      url: addressOf(work, upload.videoId),
      publishedAt: Number.isNaN(publishedAt) ? null : publishedAt,
      ...(lesser ? { detail: lesserDetail(visible, upload.privacy) } : {}),
    },
    note: visible ? `Posted; its visibility is "${visible}".` : 'Posted.',
  };
}

function lesserDetail(visible: string, asked: string): string {
  const why =
    visible === 'private' ? ' Uploads of a Google project that YouTube has not audited are locked to private.' : '';
  return `YouTube has made it "${visible}" where "${asked}" was asked for.${why}`;
}

/** Portrait or square short videos get a Shorts URL. YouTube redirects if the video is not a Short. */
function addressOf({ session, media }: Work, videoId: string): string {
  const isShort = media.height >= media.width && media.durationMs <= SHORT_MS;
  return `${session.endpoints.www}/${isShort ? 'shorts/' : 'watch?v='}${videoId}`;
}

const DELETED: Failure = {
  ...rejected('other', 'YouTube does not have the video any more: it was deleted there.'),
  platformCode: 'deleted',
};

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
  const detail = `YouTube could not process the video${reason && ` (${reason})`}.`;
  if (reason === 'uploadAborted' || reason === 'uploadFailed')
    return { ...transient(detail, RESTART_AFTER_MS), platformCode: reason };
  return { ...rejected('video', detail), platformCode: reason || 'failed' };
}

const REJECTIONS: ErrorTable = [
  { code: 'duplicate', failure: rejected('duplicate', 'YouTube has this video already.') },
  { code: 'length', failure: rejected('video', 'The video is too long for this channel.') },
  {
    code: ['uploaderAccountSuspended', 'uploaderAccountClosed'],
    failure: rejected('policy', 'YouTube has suspended or closed the channel.'),
  },
  { failure: ({ code }) => rejected('policy', `YouTube has rejected the video (${code}).`) },
];
