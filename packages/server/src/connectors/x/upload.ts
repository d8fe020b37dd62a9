/** The calls of an upload (docs.x.com, "Upload media"): initialize, append, finalize, STATUS. */
import type { HttpAnswer } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Media, Session, Work } from '../contract.ts';
import { saidAt } from '../kit/clock.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { multipartBody } from '../kit/multipart.ts';
import { ask, dataOf, isId, isSuccess } from './api.ts';
import { failureOf } from './classify.ts';
import type { Segment } from './segments.ts';

const ANSWER_MS = 30_000;
/** Upper bound on the poll interval that X requests, seconds. */
const LONGEST_CHECK_SECONDS = 300;
/** Minimum uplink speed, bytes per ms. A slower uplink counts as broken. */
const SLOWEST_UPLINK = 50;
/** Lifetime of the upload if the response states none, ms: the shortest one observed. */
const LIFE_MS = 86_400_000;

export interface Opened {
  mediaId: string;
  /** Identifies the video in timelines; "" if the response has none. */
  mediaKey: string;
  lifeMs: number;
  /** X's clock, ms since the epoch; ours if X does not state it. */
  at: number;
}

/** @throws PlatformError */
export async function openUpload({ session, media }: Work): Promise<Opened> {
  const answer = await ask(session, 'POST', '/2/media/upload/initialize', {
    json: {
      media_type: media.container === 'mov' ? 'video/quicktime' : 'video/mp4',
      media_category: 'tweet_video',
      total_bytes: media.bytes,
    },
  });
  const data = dataOf(answer, session.now(), 'media');
  const mediaId = textAt(data, 'id');
  if (!isId(mediaId)) throw new PlatformError({ kind: 'transient', detail: 'X opened an upload without an id.' });
  const seconds = numberAt(data, 'expires_after_secs');
  return {
    mediaId,
    mediaKey: textAt(data, 'media_key'),
    lifeMs: seconds === null ? LIFE_MS : seconds * 1000,
    at: saidAt(answer) ?? session.now(),
  };
}

/** Any 2xx means that the segment was stored; older gateways respond without a body. */
export function sendSegment(
  session: Session,
  media: Media,
  mediaId: string,
  { index, first, last }: Segment,
): Promise<HttpAnswer> {
  const length = last - first + 1;
  const body = multipartBody([
    { name: 'segment_index', value: String(index) },
    {
      name: 'media',
      filename: 'segment',
      type: 'application/octet-stream',
      length,
      open: () => media.stream({ first, last }),
    },
  ]);
  const deadlineMs = ANSWER_MS + Math.ceil(length / SLOWEST_UPLINK);
  return ask(session, 'POST', `/2/media/upload/${mediaId}/append`, { body, deadlineMs });
}

export type Processing =
  | { state: 'ready' }
  | { state: 'working'; afterMs: number }
  | { state: 'failed'; error: unknown }
  /** X does not know the upload (any more), or it is incomplete. */
  | { state: 'gone' };

const REFUSED = [400, 404, 410];

/** Assembles the segments. Finalizing again returns the processing state. @throws PlatformError */
export async function finalizeUpload(session: Session, mediaId: string): Promise<Processing> {
  const answer = await ask(session, 'POST', `/2/media/upload/${mediaId}/finalize`);
  if (isSuccess(answer)) return processingIn(dataOf(answer, session.now(), 'media')) ?? { state: 'ready' };
  const failure = failureOf(answer, session.now(), 'media');
  if (failure.platformCode === 'segments') return { state: 'gone' };
  if (!REFUSED.includes(answer.status)) throw new PlatformError(failure);
  // An earlier finalize may have succeeded although its response was lost. Only then is there a processing state.
  return (await lookAtUpload(session, mediaId)) ?? { state: 'gone' };
}

/** Polls the processing state; null if X has the upload but reports no processing. @throws PlatformError */
export async function lookAtUpload(session: Session, mediaId: string): Promise<Processing | null> {
  await session.spend('status');
  const answer = await ask(session, 'GET', `/2/media/upload?command=STATUS&media_id=${mediaId}`);
  if (REFUSED.includes(answer.status) && answer.tryJson() !== null) return { state: 'gone' };
  return processingIn(dataOf(answer, session.now(), 'media'));
}

function processingIn(data: unknown): Processing | null {
  const info = at(data, 'processing_info');
  if (info === undefined || info === null) return null;
  const state = textAt(info, 'state');
  if (state === 'succeeded') return { state: 'ready' };
  if (state === 'failed') return { state: 'failed', error: at(info, 'error') };
  const seconds = numberAt(info, 'check_after_secs') ?? 5;
  return { state: 'working', afterMs: Math.min(Math.max(seconds, 1), LONGEST_CHECK_SECONDS) * 1000 };
}
