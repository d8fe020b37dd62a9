/** Segmented uploads (`/2/media/upload`): open one, send its segments, finalize it, poll its processing. */
import { DAY, MINUTE, SECOND } from '../../lib/time.ts';
import type { Message } from '../../messages/message.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Json, Session, StepResult, Work } from '../contract.ts';
import { defineCheckpoint, emptyOf, texts } from '../kit/checkpoint.ts';
import { platformNow } from '../kit/clock.ts';
import { type Delays, delayAfter } from '../kit/delays.ts';
import { transient } from '../kit/failures.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { multipartBody } from '../kit/multipart.ts';
import { transferMs } from '../kit/requests.ts';
import { proceed } from '../kit/results.ts';
import { ask, dataOf, isId, isSuccess } from './api.ts';
import { failureOf } from './classify.ts';
import { SEGMENTS_A_STEP } from './limits.ts';
import { say } from './messages.ts';

/** Progress of a publish. */
export const { empty: NEW, parse: uploadOf } = defineCheckpoint({
  /** "" while no upload is open. */
  mediaId: '',
  /** Identifies the video in timelines; "" if X gave none. */
  mediaKey: '',
  /** Bytes. */
  segmentSize: 0,
  /** Number of segments that X has acknowledged, counted from the first. */
  sent: 0,
  /** Our clock, ms since the epoch; 0 if not finalized. */
  finalizedAt: 0,
  /** When X discards the upload: our clock, ms since the epoch. */
  expiresAt: 0,
  /** When the first upload was opened: X's clock, ms since the epoch; 0 if none. No post of ours can be older. */
  since: 0,
  restarts: 0,
  /** How often X failed to process this video. */
  broken: 0,
  /** `sendKey` of the last send with this upload; 0 if it was never sent. */
  offeredAs: 0,
  /** How often this upload was sent. */
  offers: 0,
  /** Media keys or ids of every upload ever sent. A timeline post with any of them is this post. */
  offered: texts,
  /** Sends without proof that turned out to have had no effect. */
  voids: 0,
  /** A pause is due before the next send. */
  rest: false,
});
export type Upload = typeof NEW;

export const UNOPENED = emptyOf(NEW, 'mediaId', 'mediaKey', 'sent', 'finalizedAt', 'expiresAt', 'offeredAs', 'offers');

/** Bytes. Gateways were observed rejecting 5 MB. A rejection (413) halves the size while 1,000 segments suffice. */
const SEGMENT = 1_048_576;
const MIN_SEGMENT = 131_072;
const MAX_SEGMENTS = 1_000;
/** Lifetime of the upload if the response states none, ms: the shortest one observed. */
const LIFE_MS = DAY;
/** Before a new upload. The post's deadline ends the retries. */
const RESTART_MS: Delays = [0, 30 * SECOND, 5 * MINUTE, 15 * MINUTE];

/** Initial segment size in bytes. @param bytes size of the whole file */
export const segmentSize = (bytes: number) => Math.max(SEGMENT, Math.ceil(bytes / MAX_SEGMENTS));
export const segmentCount = (bytes: number, size: number) => Math.max(1, Math.ceil(bytes / size));

/** Half of a segment size, or null if segments would be too small or too many. */
export function halved(bytes: number, size: number): number | null {
  const half = Math.floor(size / 2);
  return half < MIN_SEGMENT || Math.ceil(bytes / half) > MAX_SEGMENTS ? null : half;
}

/** Returns up to `most` segments, starting at an index. Their offsets `first` and `last` are inclusive. */
export function segmentsFrom(bytes: number, size: number, index: number, most: number) {
  const length = Math.max(0, Math.min(most, segmentCount(bytes, size) - index));
  return Array.from({ length }, (_, nth) => {
    const first = (index + nth) * size;
    return { index: index + nth, first, last: Math.min(first + size, bytes) - 1 };
  });
}
type Segment = ReturnType<typeof segmentsFrom>[number];

/** @throws PlatformError */
export async function openUpload({ session, media }: Work, upload: Upload): Promise<StepResult> {
  const json = { media_type: media.mime, media_category: 'tweet_video', total_bytes: media.bytes };
  const response = await ask(session, 'POST', '/2/media/upload/initialize', { json });
  const now = session.now();
  const data = dataOf(response, now, 'media');
  const mediaId = textAt(data, 'id');
  if (!isId(mediaId)) throw new PlatformError(transient(say('response_incomplete')));
  const seconds = numberAt(data, 'expires_after_secs');
  const opened: Upload = {
    ...upload,
    ...UNOPENED,
    mediaId,
    mediaKey: textAt(data, 'media_key'),
    expiresAt: now + (seconds === null ? LIFE_MS : seconds * SECOND),
    segmentSize: upload.segmentSize || segmentSize(media.bytes),
    since: upload.since || platformNow(response, now),
  };
  return proceed(opened, say('upload_opened_in_parts', { parts: segmentCount(media.bytes, opened.segmentSize) }));
}

/** Sends several segments concurrently. X replaces a segment that it already has. @throws PlatformError */
export async function sendSegments(work: Work, upload: Upload): Promise<StepResult> {
  const { session, media } = work;
  await session.spend('parts');
  await session.spend('partsOfAll');
  const segments = segmentsFrom(media.bytes, upload.segmentSize, upload.sent, SEGMENTS_A_STEP);
  const results = await Promise.allSettled(segments.map((segment) => sendSegment(work, upload.mediaId, segment)));
  const responses = results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
  const refused = responses.find((response) => !isSuccess(response));
  if (refused) return afterRefusedSegment(upload, media.bytes, refused, session.now());
  const sent = upload.sent + segments.length;
  const sentBytes = Math.min(sent * upload.segmentSize, media.bytes);
  return proceed({ ...upload, sent }, say('bytes_sent', { sentBytes, totalBytes: media.bytes }));
}

/** Any 2xx means that the segment was stored; older gateways respond without a body. */
function sendSegment({ session, media }: Work, mediaId: string, { index, first, last }: Segment) {
  const length = last - first + 1;
  const open = () => media.stream({ first, last });
  const body = multipartBody([
    { name: 'segment_index', value: String(index) },
    { name: 'media', filename: 'segment', type: 'application/octet-stream', length, open },
  ]);
  const deadlineMs = transferMs(length, { responseMs: 30 * SECOND, bytesPerMs: 50 });
  return ask(session, 'POST', `/2/media/upload/${mediaId}/append`, { body, deadlineMs });
}

function afterRefusedSegment(upload: Upload, bytes: number, response: HttpResponse, now: number): StepResult {
  const { status } = response;
  const half = status === 413 ? halved(bytes, upload.segmentSize) : null;
  if (half) return restart({ ...upload, segmentSize: half }, say('segments_too_large'));
  if (isGone(response)) return restart(upload, say('upload_rejected', { code: status }));
  throw new PlatformError(failureOf(response, now, 'media'));
}

/** Keeps the keys of earlier uploads, so that the post is found no matter which upload it used. */
export function restart(upload: Upload, reason: Message): StepResult {
  const { restarts } = upload;
  const fresh: Upload = { ...upload, ...UNOPENED, restarts: restarts + 1 };
  return proceed(fresh, say('upload_restarted', { reason }), delayAfter(RESTART_MS, restarts));
}

const REFUSED = [400, 404, 410];

/** Whether X no longer accepts the upload. A response without a body comes from an intermediary. */
const isGone = (response: HttpResponse) => REFUSED.includes(response.status) && response.tryJson() !== null;

/** Assembles the segments. Finalizing again is allowed. @returns as {@link pollUpload} @throws PlatformError */
export async function finalizeUpload(session: Session, mediaId: string): Promise<Json | undefined> {
  const response = await ask(session, 'POST', `/2/media/upload/${mediaId}/finalize`);
  if (isSuccess(response)) return processingIn(response, session);
  const failure = failureOf(response, session.now(), 'media');
  if (failure.platformCode === 'segments') return undefined;
  if (!REFUSED.includes(response.status)) throw new PlatformError(failure);
  // An earlier finalize may have succeeded although its response was lost. Only then is there a processing state.
  return (await pollUpload(session, mediaId)) ?? undefined;
}

/**
 * Polls the processing.
 * @returns `processing_info`; null: X has the upload and does not process it; undefined: it is gone or incomplete
 * @throws PlatformError
 */
export async function pollUpload(session: Session, mediaId: string): Promise<Json | undefined> {
  await session.spend('status');
  const response = await ask(session, 'GET', `/2/media/upload?command=STATUS&media_id=${mediaId}`);
  return isGone(response) ? undefined : processingIn(response, session);
}

function processingIn(response: HttpResponse, session: Session): Json {
  return (at(dataOf(response, session.now(), 'media'), 'processing_info') ?? null) as Json;
}
