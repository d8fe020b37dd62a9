/**
 * An upload: its checkpoint, its chunks, and their requests (Content Posting API, "Media Transfer Guide").
 *
 * Chunks are sequential and have 5 to 64 MB. The last one takes the remainder and may reach 128 MB. A file under 5 MB is
 * a single chunk, one over 64 MB needs several. `total_chunk_count = floor(video_size / chunk_size)`. The guide does not
 * say whether MB is 10^6 or 2^20 bytes. Every constant here is valid in both readings.
 */
import { MINUTE, SECOND } from '../../lib/time.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { IrreversibleRequest, Media } from '../contract.ts';
import { defineCheckpoint } from '../kit/checkpoint.ts';
import { transferMs } from '../kit/requests.ts';

/** Progress of a publish. Checkpoints are stored encrypted, because the upload URL contains a token. */
export const { empty: UNOPENED, parse: uploadOf } = defineCheckpoint({
  /** The requested privacy, checked against `creator_info` at the start. */
  privacy: '',
  username: '',
  /** Interactions that the creator has disabled for all videos. */
  disabled: { comment: false, duet: false, stitch: false },
  /** "" while no upload is open. */
  publishId: '',
  uploadUrl: '',
  /** Bytes per chunk, as announced when the upload was opened. */
  chunkSize: 0,
  /** When this upload was opened, ms since the epoch. The upload URL is valid for an hour. */
  openedAt: 0,
  /** Bytes that TikTok has acknowledged; always the start of a chunk. */
  sent: 0,
  /** Range mismatches since TikTok last accepted a chunk. */
  strays: 0,
  /** The upload URL contradicted the status: missing bytes no longer mean "not posted". */
  contradicted: false,
  /** When the last chunk was prepared for sending, ms since the epoch. If 0, this upload cannot have posted. */
  offeredAt: 0,
  /** When the first upload of this post was opened, ms since the epoch. */
  firstOpenedAt: 0,
  /** Uploads abandoned because their URL expired. */
  restarts: 0,
  /** Status polls made so far. */
  polls: 0,
  /** TikTok has reported PUBLISH_COMPLETE. */
  complete: false,
});
export type Upload = typeof UNOPENED;

/** The upload URL is valid for an hour; one minute is reserved for the request that uses it. */
const URL_LIFE_MS = 59 * MINUTE;

/** Whether the upload URL may have expired. @param now ms since the epoch */
export function isExpired(upload: Upload, now: number): boolean {
  return now - upload.openedAt > URL_LIFE_MS;
}

/**
 * Maximum chunk size in bytes. The last chunk also takes the remainder. A file below 2 × {@link MIN_CHUNK} is sent
 * as a single chunk, which may be larger.
 */
export const MAX_CHUNK = 10_000_000;
/** Minimum chunk size in bytes, unless the file is a single chunk. */
const MIN_CHUNK = 5 * 1024 * 1024;

export type ChunkPlan = ReturnType<typeof planOf>;
export type Chunk = ReturnType<typeof chunkWith>;

/**
 * Splits a file into chunks of even size. The last chunk is the irreversible request, so it must not be much larger
 * than the others.
 * @param videoSize bytes, at least 1
 */
export function planChunks(videoSize: number) {
  const count = videoSize < 2 * MIN_CHUNK ? 1 : Math.ceil(videoSize / MAX_CHUNK);
  return planOf(videoSize, Math.floor(videoSize / count));
}

/** Recreates the plan that an upload was opened with. @param chunkSize bytes, at least 1 */
export function planOf(videoSize: number, chunkSize: number) {
  return { videoSize, chunkSize, count: Math.max(1, Math.floor(videoSize / chunkSize)) };
}

/**
 * Returns the chunk that contains the byte at `offset`, or the last chunk if the offset is past the end: the offsets of
 * its first and last byte, both inclusive, as in Content-Range.
 */
export function chunkWith(plan: ChunkPlan, offset: number) {
  const index = Math.min(Math.max(0, Math.floor(offset / plan.chunkSize)), plan.count - 1);
  const first = index * plan.chunkSize;
  const isLast = index === plan.count - 1;
  return { first, last: isLast ? plan.videoSize - 1 : first + plan.chunkSize - 1, isLast };
}

/** Builds the request for a chunk. The upload URL contains its own token, so none is added. */
export function chunkRequest(media: Media, uploadUrl: string, { first, last }: Chunk): IrreversibleRequest {
  const length = last - first + 1;
  return {
    method: 'PUT',
    url: uploadUrl,
    headers: { 'content-range': `bytes ${first}-${last}/${media.bytes}` },
    body: { kind: 'stream', length, type: media.mime, open: () => media.stream({ first, last }) },
    deadlineMs: transferMs(length, { responseMs: 30 * SECOND, bytesPerMs: 125 }),
  };
}

/**
 * Returns how many bytes TikTok has, from `Content-Range`, or null if that is ambiguous. The guide does not say whether
 * the upper bound is a count or the offset of the last byte. At most one reading ends on a chunk boundary.
 */
export function reportedBytes(response: HttpResponse, plan: ChunkPlan): number | null {
  const { videoSize, chunkSize, count } = plan;
  const [, bound, total] = /^bytes 0-(\d+)\/(\d+)$/.exec(response.headers['content-range'] ?? '') ?? [];
  if (bound === undefined || Number(total) !== videoSize) return null;
  const endsChunk = (bytes: number) => bytes === videoSize || (bytes % chunkSize === 0 && bytes / chunkSize < count);
  return [Number(bound), Number(bound) + 1].find(endsChunk) ?? null;
}
