/** The checkpoint, and the status of its video (`GET /{video}?fields=status`). */
import { MINUTE, SECOND } from '../../lib/time.ts';
import type { Message } from '../../messages/message.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import type { ConfirmResult, Session } from '../contract.ts';
import { defineCheckpoint, emptyOf } from '../kit/checkpoint.ts';
import type { Delays } from '../kit/delays.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { pollAgain } from '../kit/results.ts';
import { tameWords } from '../kit/words.ts';
import { readVideo } from './api.ts';
import { failureOfPhase } from './classify.ts';
import { say } from './messages.ts';

/** Progress of a publish. Checkpoints are stored encrypted, because they contain the Page token. */
export const { empty: NEW, parse: uploadOf } = defineCheckpoint({
  pageToken: '',
  /** "" while no upload is open. */
  videoId: '',
  uploadUrl: '',
  /** Facebook has all bytes. */
  uploaded: false,
  /** Number of offset mismatches and rejected tokens. */
  strays: 0,
  /** How often the finish request was prepared for sending. If 0, this video cannot have been posted. */
  finishes: 0,
  /** When the last finish request was prepared, ms since the epoch. */
  offeredAt: 0,
  /** Setting a thumbnail was attempted, successfully or not. */
  covered: false,
  /** When the first upload of this post was opened, ms since the epoch. */
  firstOpenedAt: 0,
  /** Number of abandoned uploads. */
  restarts: 0,
  /** Status polls made so far. */
  polls: 0,
});
export type Upload = typeof NEW;

/** Initial values of an upload that is not open yet. */
export const UNOPENED = emptyOf(
  NEW,
  ...(['videoId', 'uploadUrl', 'uploaded', 'strays', 'finishes', 'offeredAt', 'covered', 'polls'] as const),
);

export interface VideoStatus {
  /**
   * `uploaded`: all bytes received, no sign of a finish request. `untold`: the response has no state. `gone`: Facebook
   * does not show the video.
   */
  state: 'gone' | 'untold' | 'uploading' | 'uploaded' | 'publishing' | 'published' | 'failed' | 'expired';
  /** Processing is in progress or about to begin, so publishing may not have started yet. */
  busy: boolean;
  /** Bytes received; null if the response omits it. */
  received: number | null;
  failure: Failure | null;
  /** ms since the epoch */
  publishedAt: number | null;
  /** As Facebook returns it, usually without a host; "" if absent. */
  permalink: string;
}

/** @throws PlatformError */
export async function pollStatus(
  session: Session,
  upload: Upload,
): Promise<{ status: VideoStatus; pageToken: string }> {
  const { value, pageToken } = await readVideo(session, upload.pageToken, {
    id: upload.videoId,
    fields: 'status,published,permalink_url',
    asPerson: upload.uploaded,
  });
  return { status: value ? readStatus(value) : UNREADABLE, pageToken };
}

const UNREADABLE: VideoStatus = {
  state: 'gone',
  busy: false,
  received: null,
  failure: null,
  publishedAt: null,
  permalink: '',
};

const PHASES = ['uploading', 'processing', 'publishing'] as const;

/** Parses a status response. */
export function readStatus(body: unknown): VideoStatus {
  const status = at(body, 'status');
  const phase = (name: (typeof PHASES)[number]) => textAt(status, `${name}_phase`, 'status');
  const videoStatus = textAt(status, 'video_status');
  const publishing = phase('publishing');
  const publishStatus = textAt(status, 'publishing_phase', 'publish_status');
  const time = numberAt(status, 'publishing_phase', 'publish_time');
  // The documentation spells it with one r, live responses with two.
  const received =
    numberAt(status, 'uploading_phase', 'bytes_transfered') ?? numberAt(status, 'uploading_phase', 'bytes_transferred');
  const isPublished =
    at(body, 'published') === true || (publishing === 'complete' && ['', 'published'].includes(publishStatus));
  const hasFailed =
    videoStatus === 'error' || videoStatus === 'upload_failed' || PHASES.some((name) => phase(name) === 'error');
  const state = () => {
    if (isPublished) return 'published';
    if (hasFailed) return 'failed';
    if (videoStatus === 'expired') return 'expired';
    if (publishing === 'in_progress' || publishing === 'complete') return 'publishing';
    if (videoStatus === '' && phase('uploading') === '' && phase('processing') === '') return 'untold';
    const hasAll = phase('uploading') === 'complete' || videoStatus === 'upload_complete' || videoStatus === 'ready';
    return hasAll ? 'uploaded' : 'uploading';
  };
  return {
    state: state(),
    busy: phase('processing') === 'in_progress' || (videoStatus === 'processing' && phase('processing') !== 'complete'),
    received,
    failure: hasFailed && !isPublished ? phaseFailure(status) : null,
    publishedAt: time === null ? null : time * SECOND,
    permalink: textAt(body, 'permalink_url'),
  };
}

/** The failed phase contains the error as `error` or `errors[0]`. Without either, Facebook gave no reason. */
function phaseFailure(status: unknown): Failure {
  for (const name of PHASES) {
    const error = at(status, `${name}_phase`, 'error') ?? at(status, `${name}_phase`, 'errors', 0);
    if (error === undefined || error === null) continue;
    return failureOfPhase(numberAt(error, 'code') ?? 0, tameWords(textAt(error, 'message')));
  }
  return failureOfPhase(0, '');
}

const POLL_MS: Delays = [5 * SECOND, 5 * SECOND, 15 * SECOND, 15 * SECOND, 15 * SECOND, MINUTE];

/** Schedules the next poll with an increasing delay. */
export function confirmLater(upload: Upload, note: Message): Extract<ConfirmResult, { then: 'confirming' }> {
  return pollAgain(upload, POLL_MS, note);
}

/** The result for a published reel, with its URL. */
export function posted(
  session: Session,
  videoId: string,
  { permalink, publishedAt }: Pick<VideoStatus, 'permalink' | 'publishedAt'>,
): Extract<ConfirmResult, { then: 'posted' }> {
  const path = /^\/(?!\/)[^\s\\]*$/.test(permalink) ? permalink : `/reel/${videoId}/`;
  const published = { remoteId: videoId, url: `${session.endpoints.www}${path}`, publishedAt };
  return { then: 'posted', published, note: say('posted') };
}
