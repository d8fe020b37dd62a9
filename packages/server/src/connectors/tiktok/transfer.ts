/** Requests to the upload URL: one PUT per chunk ("Media Transfer Guide"). */
import type { HttpAnswer, HttpBody } from '../../outbound/http-client.ts';
import type { Media } from '../contract.ts';
import type { Chunk, ChunkPlan } from './chunks.ts';

const ANSWER_MS = 30_000;
/** Minimum uplink speed, bytes per ms (1 Mbit/s). A slower uplink counts as broken. */
const SLOWEST_UPLINK = 125;

/** Builds the request for a chunk. The upload URL contains its own token, so none is added. */
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
 * Returns how many bytes TikTok has, from `Content-Range`, or null if that is ambiguous. The guide does not say whether
 * the upper bound is a count or the offset of the last byte. At most one reading ends on a chunk boundary.
 */
export function bytesTold(answer: HttpAnswer, plan: ChunkPlan): number | null {
  const [, bound, total] = /^bytes 0-(\d+)\/(\d+)$/.exec(answer.headers['content-range'] ?? '') ?? [];
  if (bound === undefined || Number(total) !== plan.videoSize) return null;
  return [Number(bound), Number(bound) + 1].find((bytes) => endsChunk(bytes, plan)) ?? null;
}

function endsChunk(bytes: number, { videoSize, chunkSize, count }: ChunkPlan): boolean {
  return bytes === videoSize || (bytes % chunkSize === 0 && bytes / chunkSize < count);
}
