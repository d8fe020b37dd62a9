/**
 * How a file is cut for upload (Content Posting API, "Media Transfer Guide"): sequential chunks of 5 to 64 MB, the last
 * one takes the remainder and may reach 128 MB; `total_chunk_count = floor(video_size / chunk_size)`; a file under 5 MB,
 * or one that goes as a single chunk, has `chunk_size = video_size`; over 64 MB there must be several.
 * The guide does not say whether MB is 10^6 or 2^20, so every figure here holds in both readings.
 */

/** No chunk has more bytes, but for the few that the last one takes over from the division. */
export const LARGEST_CHUNK = 10_000_000;
/** No chunk but an only one has fewer bytes. */
const SMALLEST_CHUNK = 5 * 1024 * 1024;

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

/**
 * Cuts a file into even chunks: the last one is the irreversible request, and must not be twice as long as the others.
 * @param videoSize bytes, at least 1
 */
export function planChunks(videoSize: number): ChunkPlan {
  const count = videoSize < 2 * SMALLEST_CHUNK ? 1 : Math.ceil(videoSize / LARGEST_CHUNK);
  return planOf(videoSize, Math.floor(videoSize / count));
}

/** The plan that an upload was opened with. @param chunkSize bytes, at least 1 */
export function planOf(videoSize: number, chunkSize: number): ChunkPlan {
  return { videoSize, chunkSize, count: Math.max(1, Math.floor(videoSize / chunkSize)) };
}

/** The chunk that holds a byte, or the last one where the file has no such byte. */
export function chunkWith(plan: ChunkPlan, offset: number): Chunk {
  const index = Math.min(Math.max(0, Math.floor(offset / plan.chunkSize)), plan.count - 1);
  const first = index * plan.chunkSize;
  const isLast = index === plan.count - 1;
  return { first, last: isLast ? plan.videoSize - 1 : first + plan.chunkSize - 1, isLast };
}
