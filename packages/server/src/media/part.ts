/** The part of a video that is posted. Pure. */
import { apiError } from '../errors/reelay-error.ts';
import type { Part, Trim, VideoFacts } from './types.ts';
import { MAX_MS, MIN_MS, seconds, TOLERANCE_MS } from './verdict.ts';

/**
 * The part of this video. It may end up to 50 ms after the video, because players round its length.
 * @returns null if it is the whole video
 * @throws ReelayError `invalid_request` if it is not within the video, `video_too_short` or `video_too_long` if it cannot
 * be posted
 */
export function partOf(trim: Trim | null, facts: VideoFacts): Part | null {
  if (trim === null) return null;
  const { durationMs } = facts;
  const { startMs, endMs } = { startMs: trim.startMs, endMs: trim.endMs ?? durationMs };
  if (endMs > durationMs + TOLERANCE_MS || startMs >= durationMs)
    throw apiError('trim_outside', { seconds: seconds(durationMs) });
  if (startMs === 0 && endMs >= durationMs && durationMs <= MAX_MS + TOLERANCE_MS) return null;
  const lengthMs = Math.min(endMs, durationMs) - startMs;
  if (lengthMs > MAX_MS + TOLERANCE_MS) throw apiError('part_longer', { seconds: seconds(lengthMs) });
  const filmMs = Math.min(lengthMs, endOfFilm(facts) - startMs);
  if (filmMs < MIN_MS - TOLERANCE_MS) throw apiError('part_shorter', { seconds: seconds(Math.max(0, filmMs)) });
  return { startMs, lengthMs };
}

/** In ms; the sound may be longer. */
function endOfFilm({ lastFrameMs, fps }: VideoFacts): number {
  return lastFrameMs + (fps > 0 ? Math.round(1_000 / fps) : 0);
}
