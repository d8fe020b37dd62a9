/** An upload (docs.x.com, "Upload media"): its checkpoint, its segments, and its calls. */
import type { HttpResponse } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import { DAY, SECOND } from '../../time.ts';
import type { Media, Session, Work } from '../contract.ts';
import { defineCheckpoint, emptyOf, texts } from '../kit/checkpoint.ts';
import { platformNow } from '../kit/clock.ts';
import { transient } from '../kit/failures.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { multipartBody } from '../kit/multipart.ts';
import { transferMs } from '../kit/requests.ts';
import { ask, dataOf, isId, isSuccess } from './api.ts';
import { failureOf } from './classify.ts';
import { say } from './messages.ts';

/** Progress of a publish. */
export const { empty: NEW, parse: uploadOf } = defineCheckpoint({
  /** "" while no upload is open. */
  mediaId: '',
  /** Identifies the video in timelines; "" if X gave none. */
  mediaKey: '',
  /** Bytes per segment. */
  segmentSize: 0,
  /** Number of segments that X has acknowledged, counted from the first. */
  sent: 0,
  /** Our clock, ms since the epoch; 0 if not finalized. */
  finalizedAt: 0,
  /** When X discards the upload: our clock, ms since the epoch. */
  expiresAt: 0,
  /**
   * When the first upload of this post was opened: X's clock, ms since the epoch; 0 if none. No post of ours can be
   * older.
   */
  since: 0,
  /** Number of abandoned uploads. */
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

/** Initial values of an upload that is not open yet. */
export const UNOPENED = emptyOf(NEW, 'mediaId', 'mediaKey', 'sent', 'finalizedAt', 'expiresAt', 'offeredAs', 'offers');

/**
 * Segments have 1 MiB, because gateways were observed rejecting 5 MB. A rejection (413) halves the size while the file
 * still fits into 1,000 segments.
 */
const SEGMENT = 1_048_576;
const MIN_SEGMENT = 131_072;
const MAX_SEGMENTS = 1_000;

export interface Segment {
  index: number;
  /** Offsets of the first and last byte, both inclusive. */
  first: number;
  last: number;
}

/** Initial segment size in bytes. @param bytes size of the whole file */
export function segmentSize(bytes: number): number {
  return Math.max(SEGMENT, Math.ceil(bytes / MAX_SEGMENTS));
}

/** Half of a segment size, or null if segments would be too small or too many. */
export function halved(bytes: number, size: number): number | null {
  const half = Math.floor(size / 2);
  return half < MIN_SEGMENT || Math.ceil(bytes / half) > MAX_SEGMENTS ? null : half;
}

export function segmentCount(bytes: number, size: number): number {
  return Math.max(1, Math.ceil(bytes / size));
}

/** Returns up to `most` segments, starting at an index. */
export function segmentsFrom(bytes: number, size: number, index: number, most: number): Segment[] {
  const length = Math.max(0, Math.min(most, segmentCount(bytes, size) - index));
  return Array.from({ length }, (_, nth) => {
    const first = (index + nth) * size;
    return { index: index + nth, first, last: Math.min(first + size, bytes) - 1 };
  });
}

/** Upper bound on the poll interval that X requests, seconds. */
const MAX_CHECK_SECONDS = 300;
/** Lifetime of the upload if the response states none, ms: the shortest one observed. */
const LIFE_MS = DAY;

/** Opens an upload. `openedAt` is X's clock, or ours if X does not state it. @throws PlatformError */
export async function openUpload({ session, media }: Work) {
  const response = await ask(session, 'POST', '/2/media/upload/initialize', {
    json: {
      media_type: media.mime,
      media_category: 'tweet_video',
      total_bytes: media.bytes,
    },
  });
  const now = session.now();
  const data = dataOf(response, now, 'media');
  const mediaId = textAt(data, 'id');
  if (!isId(mediaId)) throw new PlatformError(transient(say('response_incomplete')));
  const seconds = numberAt(data, 'expires_after_secs');
  return {
    mediaId,
    mediaKey: textAt(data, 'media_key'),
    expiresAt: now + (seconds === null ? LIFE_MS : seconds * SECOND),
    openedAt: platformNow(response, now),
  };
}

/** Any 2xx means that the segment was stored; older gateways respond without a body. */
export function sendSegment(
  session: Session,
  media: Media,
  mediaId: string,
  { index, first, last }: Segment,
): Promise<HttpResponse> {
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
  const deadlineMs = transferMs(length, { answerMs: 30 * SECOND, bytesPerMs: 50 });
  return ask(session, 'POST', `/2/media/upload/${mediaId}/append`, { body, deadlineMs });
}

export type Processing =
  | { state: 'ready' }
  | { state: 'working'; afterMs: number }
  | { state: 'failed'; error: unknown }
  /** X does not know the upload (any more), or it is incomplete. */
  | { state: 'gone' };

const REFUSED = [400, 404, 410];

/** Whether X no longer accepts the upload. A response without a body comes from an intermediary. */
export const isGone = (response: HttpResponse) => REFUSED.includes(response.status) && response.tryJson() !== null;

/** Assembles the segments. Finalizing again returns the processing state. @throws PlatformError */
export async function finalizeUpload(session: Session, mediaId: string): Promise<Processing | null> {
  const response = await ask(session, 'POST', `/2/media/upload/${mediaId}/finalize`);
  if (isSuccess(response)) return processingIn(dataOf(response, session.now(), 'media'));
  const failure = failureOf(response, session.now(), 'media');
  if (failure.platformCode === 'segments') return { state: 'gone' };
  if (!REFUSED.includes(response.status)) throw new PlatformError(failure);
  // An earlier finalize may have succeeded although its response was lost. Only then is there a processing state.
  return (await pollUpload(session, mediaId)) ?? { state: 'gone' };
}

/** Polls the processing state; null if X has the upload but reports no processing. @throws PlatformError */
export async function pollUpload(session: Session, mediaId: string): Promise<Processing | null> {
  await session.spend('status');
  const response = await ask(session, 'GET', `/2/media/upload?command=STATUS&media_id=${mediaId}`);
  return isGone(response) ? { state: 'gone' } : processingIn(dataOf(response, session.now(), 'media'));
}

function processingIn(data: unknown): Processing | null {
  const info = at(data, 'processing_info');
  if (info === undefined || info === null) return null;
  const state = textAt(info, 'state');
  if (state === 'succeeded') return { state: 'ready' };
  if (state === 'failed') return { state: 'failed', error: at(info, 'error') };
  const seconds = numberAt(info, 'check_after_secs') ?? 5;
  return { state: 'working', afterMs: Math.min(Math.max(seconds, 1), MAX_CHECK_SECONDS) * SECOND };
}
