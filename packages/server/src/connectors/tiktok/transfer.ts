/** The upload address: one PUT for each chunk ("Media Transfer Guide"). */
import type { Media } from '../contract.ts';
import type { HttpAnswer, HttpBody } from '../kit/http.ts';
import type { Chunk, ChunkPlan } from './chunks.ts';

const ANSWER_MS = 30_000;
/** An uplink of less than 1 Mbit/s is taken for broken, bytes a ms. */
const SLOWEST_UPLINK = 125;

/** The request that sends a chunk. The address has its own token, so none goes along. */
export function chunkRequest(
  media: Media,
  uploadUrl: string,
  chunk: Chunk,
): { method: 'PUT'; url: string; headers: Record<string, string>; body: HttpBody; deadlineMs: number } {
  const { first, last } = chunk;
  const length = last - first + 1;
  const type = media.container === 'mov' ? 'video/quicktime' : media.container === 'webm' ? 'video/webm' : 'video/mp4';
  return {
    method: 'PUT',
    url: uploadUrl,
    headers: { 'content-range': `bytes ${first}-${last}/${media.bytes}` },
    body: { kind: 'stream', length, type, open: () => media.stream({ first, last }) },
    deadlineMs: ANSWER_MS + Math.ceil(length / SLOWEST_UPLINK),
  };
}

/**
 * How many bytes TikTok has by the `Content-Range` of its answer, or null where that does not say it for certain. The
 * guide leaves open whether its upper bound is that number or the place of the last byte; only one of the two can be
 * the end of a chunk.
 */
export function bytesTold(answer: HttpAnswer, plan: ChunkPlan): number | null {
  const [, bound, total] = /^bytes 0-(\d+)\/(\d+)$/.exec(answer.headers['content-range'] ?? '') ?? [];
  if (bound === undefined || Number(total) !== plan.videoSize) return null;
  return [Number(bound), Number(bound) + 1].find((bytes) => endsChunk(bytes, plan)) ?? null;
}

function endsChunk(bytes: number, { videoSize, chunkSize, count }: ChunkPlan): boolean {
  return bytes === videoSize || (bytes % chunkSize === 0 && bytes / chunkSize < count);
}
