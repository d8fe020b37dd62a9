/**
 * How a file is cut for upload (Content Posting API, "Media Transfer Guide"): sequential chunks of 5 to 64 MB, the last
 * one takes the remainder and may reach 128 MB; `total_chunk_count = floor(video_size / chunk_size)`; a file under 5 MB,
 * or one that goes as a single chunk, has `chunk_size = video_size`; over 64 MB there must be several.
 * The guide does not say whether MB is 10^6 or 2^20, so every figure here holds in both readings.
 */

/** Chunks of this many bytes; the last byte of the last one publishes, so that one shall not be large. */
export const CHUNK_BYTES = 10_000_000;

export interface ChunkPlan {
  videoSize: number;
  chunkSize: number;
  count: number;
}

export interface Chunk {
  /** Position of the first and last byte, both inclusive, as in Content-Range. */
  first: number;
  last: number;
  isLast: boolean;
}

/** @param videoSize bytes, at least 1 */
export function planChunks(videoSize: number): ChunkPlan {
  if (videoSize < 2 * CHUNK_BYTES) return { videoSize, chunkSize: videoSize, count: 1 };
  return { videoSize, chunkSize: CHUNK_BYTES, count: Math.floor(videoSize / CHUNK_BYTES) };
}

/** The chunk that begins at an offset which all chunks before it end at; null where none begins there. */
export function chunkAt(plan: ChunkPlan, offset: number): Chunk | null {
  const index = offset / plan.chunkSize;
  if (!Number.isInteger(index) || index < 0 || index >= plan.count) return null;
  const isLast = index === plan.count - 1;
  return { first: offset, last: isLast ? plan.videoSize - 1 : offset + plan.chunkSize - 1, isLast };
}
