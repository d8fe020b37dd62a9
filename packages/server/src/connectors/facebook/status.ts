/** Reads the status of a video (`GET /{video}?fields=status`) and maps it to a result. */
import type { Failure } from '../../outbound/platform-error.ts';
import type { ConfirmResult, Session } from '../contract.ts';
import { type Delays, delayAfter } from '../kit/delays.ts';
import { transient } from '../kit/failures.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { tameWords } from '../kit/words.ts';
import { asPage, graph } from './api.ts';
import type { Upload } from './checkpoint.ts';
import { failureOfPhase } from './classify.ts';

export interface VideoStatus {
  /** `uploaded`: all bytes received, no sign of a finish request. `untold`: the response has no state. */
  state: 'untold' | 'uploading' | 'uploaded' | 'publishing' | 'published' | 'failed' | 'expired';
  /** Processing is in progress, so publishing may not have started yet. */
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
  const fields = 'status,published,permalink_url';
  const { value, pageToken } = await asPage(session, upload.pageToken, (token) =>
    graph(session, 'GET', `/${upload.videoId}`, token, { fields }),
  );
  return { status: readStatus(value), pageToken };
}

/** Parses a status response. */
export function readStatus(body: unknown): VideoStatus {
  const status = at(body, 'status');
  const phase = (name: string) => textAt(status, `${name}_phase`, 'status');
  const word = textAt(status, 'video_status');
  const publishing = phase('publishing');
  const publishStatus = textAt(status, 'publishing_phase', 'publish_status');
  const time = numberAt(status, 'publishing_phase', 'publish_time');
  // The spelling with one r is Facebook's.
  const received =
    numberAt(status, 'uploading_phase', 'bytes_transfered') ?? numberAt(status, 'uploading_phase', 'bytes_transferred');
  const isPublished =
    at(body, 'published') === true || (publishing === 'complete' && ['', 'published'].includes(publishStatus));
  const failed =
    word === 'error' ||
    word === 'upload_failed' ||
    ['uploading', 'processing', 'publishing'].some((name) => phase(name) === 'error');
  const state = () => {
    if (isPublished) return 'published';
    if (failed) return 'failed';
    if (word === 'expired') return 'expired';
    if (publishing === 'in_progress' || publishing === 'complete') return 'publishing';
    if (word === '' && phase('uploading') === '' && phase('processing') === '') return 'untold';
    return phase('uploading') === 'complete' || word === 'upload_complete' || word === 'ready'
      ? 'uploaded'
      : 'uploading';
  };
  return {
    state: state(),
    busy: phase('processing') === 'in_progress',
    received,
    failure: failed && !isPublished ? phaseFailure(status) : null,
    publishedAt: time === null ? null : time * 1000,
    permalink: textAt(body, 'permalink_url'),
  };
}

/** The failed phase contains the error as `error` or `errors[0]`. Without either, Facebook gave no reason. */
function phaseFailure(status: unknown): Failure {
  for (const name of ['uploading_phase', 'processing_phase', 'publishing_phase']) {
    const error = at(status, name, 'error') ?? at(status, name, 'errors', 0);
    if (error === undefined || error === null) continue;
    return failureOfPhase(numberAt(error, 'code') ?? 0, tameWords(textAt(error, 'message')));
  }
  return failureOfPhase(0, '');
}

const POLL_MS: Delays = [5_000, 5_000, 15_000, 15_000, 15_000, 60_000];

/** Schedules the next poll with an increasing delay. */
export function confirmLater(upload: Upload, note: string): Extract<ConfirmResult, { then: 'confirming' }> {
  const afterMs = delayAfter(POLL_MS, upload.polls);
  return { then: 'confirming', checkpoint: { ...upload, polls: upload.polls + 1 }, afterMs, note };
}

/** The result for a published reel, with its URL. */
export function posted(
  session: Session,
  upload: Pick<Upload, 'videoId'>,
  known: Pick<VideoStatus, 'permalink' | 'publishedAt'>,
  note: string,
): Extract<ConfirmResult, { then: 'posted' }> {
  const { permalink, publishedAt } = known;
  const path = /^\/(?!\/)[^\s\\]*$/.test(permalink) ? permalink : `/reel/${upload.videoId}/`;
  const published = { remoteId: upload.videoId, url: `${session.endpoints.www}${path}`, publishedAt };
  return { then: 'posted', published, note };
}

/** The upload expired or is lost: nothing of it will appear, and the post can start over. */
export const RAN_OUT: Failure = transient('Facebook let the upload run out before it was published.');
