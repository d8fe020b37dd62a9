/**
 * Splits a file into chunks for upload (Content Posting API, "Media Transfer Guide").
 *
 * - Chunks are sequential and have 5 to 64 MB. The last one takes the remainder and may reach 128 MB.
 * - `total_chunk_count = floor(video_size / chunk_size)`.
 * - A file under 5 MB, or one sent as a single chunk, has `chunk_size = video_size`.
 * - A file over 64 MB needs several chunks.
 *
 * The guide does not say whether MB is 10^6 or 2^20 bytes. Every constant here is valid in both readings.
 */

/**
 * Maximum chunk size in bytes. The last chunk also takes the remainder. A file below 2 × {@link SMALLEST_CHUNK} is sent
 * as a single chunk, which may be larger.
 */
export const LARGEST_CHUNK = 10_000_000;
/** Minimum chunk size in bytes, unless the file is a single chunk. */
const SMALLEST_CHUNK = 5 * 1024 * 1024;

export interface ChunkPlan {
  videoSize: number;
  chunkSize: number;
  count: number;
}

export interface Chunk {
  /** Offsets of the first and last byte, both inclusive, as in Content-Range. */
  first: number;
  last: number;
  isLast: boolean;
}

/**
 * Splits a file into chunks of even size. The last chunk is the irreversible request, so it must not be much larger
 * than the others.
 * @param videoSize bytes, at least 1
 */
export function planChunks(videoSize: number): ChunkPlan {
  const count = videoSize < 2 * SMALLEST_CHUNK ? 1 : Math.ceil(videoSize / LARGEST_CHUNK);
  return planOf(videoSize, Math.floor(videoSize / count));
}

/** Recreates the plan that an upload was opened with. @param chunkSize bytes, at least 1 */
export function planOf(videoSize: number, chunkSize: number): ChunkPlan {
  return { videoSize, chunkSize, count: Math.max(1, Math.floor(videoSize / chunkSize)) };
}

/** Returns the chunk that contains the byte at `offset`, or the last chunk if the offset is past the end. */
export function chunkWith(plan: ChunkPlan, offset: number): Chunk {
  const index = Math.min(Math.max(0, Math.floor(offset / plan.chunkSize)), plan.count - 1);
  const first = index * plan.chunkSize;
  const isLast = index === plan.count - 1;
  return { first, last: isLast ? plan.videoSize - 1 : first + plan.chunkSize - 1, isLast };
}
