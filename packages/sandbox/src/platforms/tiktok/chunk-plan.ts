/**
 * Validates chunk plans by the Media Transfer Guide. The guide does not say whether MB is 10^6 or 2^20 bytes, so a plan
 * must satisfy both readings.
 */
const MIN_CHUNK = 5 * 1024 * 1024;
const MAX_CHUNK = 64_000_000;
const MAX_CHUNKS = 1000;

/** Returns the fault of a plan, or null. Sizes are in bytes. */
export function chunkPlanFault(size: number, chunkSize: number, count: number): string | null {
  if (![size, chunkSize, count].every((value) => Number.isSafeInteger(value) && value > 0))
    return 'video_size, chunk_size and total_chunk_count must be positive integers.';
  if (count > MAX_CHUNKS) return `There may be at most ${MAX_CHUNKS} chunks.`;
  if (size < MIN_CHUNK)
    return chunkSize === size && count === 1 ? null : 'A video below 5 MB is sent as one chunk of its own size.';
  if (chunkSize < MIN_CHUNK || chunkSize > MAX_CHUNK) return 'chunk_size must lie between 5 MB and 64 MB.';
  if (count !== Math.floor(size / chunkSize))
    return 'total_chunk_count must be video_size divided by chunk_size, rounded down.';
  if (count === 1 && size > MAX_CHUNK) return 'A video above 64 MB must be sent in several chunks.';
  return null;
}

/**
 * Returns the length of the chunk that begins at `first`, or null if no chunk begins there. The last chunk takes the
 * remainder.
 */
export function chunkLength(size: number, chunkSize: number, count: number, first: number): number | null {
  const index = first / chunkSize;
  if (!Number.isInteger(index) || index >= count) return null;
  return index === count - 1 ? size - first : chunkSize;
}
