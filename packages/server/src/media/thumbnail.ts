import { rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { apiError, ReelayError } from '../errors/reelay-error.ts';
import type { Semaphore } from '../lib/semaphore.ts';
import { type ThumbnailPlan, thumbnailArgs } from './commands.ts';
import { claimFile, saysDiskFull } from './disk.ts';
import { type Limits, runGuarded } from './guard.ts';
import type { MediaTools } from './tools.ts';
import type { VideoFacts } from './types.ts';

/** Limits of one thumbnail: enough for a frame late in a long 4K group of pictures. */
export const THUMBNAIL_LIMITS: Limits = {
  addressBytes: 2 * 1024 * 1024 * 1024,
  cpuSeconds: 40,
  wallMs: 40_000,
  outputBytes: 64 * 1024,
  fileBytes: 32 * 1024 * 1024,
};

/** The facts of a video that determine its thumbnail. */
export type PictureFacts = Pick<
  VideoFacts,
  'container' | 'width' | 'height' | 'hdr' | 'lastFrameMs' | 'fps' | 'filmTrack' | 'offsetMs'
>;

export interface ThumbnailOptions {
  tools: MediaTools;
  slots: Semaphore;
  limits?: Limits;
  signal?: AbortSignal;
}

/**
 * Writes the frame at `atSeconds` as a JPEG of 720 × 1280, which also proves that the video can be decoded. A time
 * after the last frame uses the last frame. On any failure `outPath` is removed.
 * @throws ReelayError `video_unreadable` when no frame can be decoded, `storage_full` or `storage_unavailable` when it
 * cannot be written
 */
export async function makeThumbnail(
  path: string,
  atSeconds: number,
  outPath: string,
  facts: PictureFacts,
  options: ThumbnailOptions,
): Promise<void> {
  const plan = planOf({ path, atSeconds, outPath }, facts, options.tools);
  const attempt = async (exact: boolean): Promise<boolean> => {
    const limits = { ...(options.limits ?? THUMBNAIL_LIMITS), limiter: options.tools.limiter, signal: options.signal };
    const run = await runGuarded(options.tools.ffmpeg, thumbnailArgs({ ...plan, exact }), limits);
    if (saysDiskFull(run.stderr)) throw new ReelayError('storage_full');
    if (run.timedOut) throw apiError('picture_too_slow');
    // ffmpeg exits with 0 but writes no image when nothing could be decoded.
    return run.code === 0 && (await hasContent(outPath));
  };
  try {
    await claimFile(outPath);
    // With a poor index, the fast seek may miss; retry with the exact one.
    const done = await options.slots.run(async () => (await attempt(false)) || attempt(true), options.signal);
    if (!done) throw apiError('video_without_picture');
  } catch (error) {
    await rm(outPath, { force: true });
    throw error;
  }
}

/** Returns whether two sets of facts produce the same thumbnail. */
export function isSamePicture(atSeconds: number, one: PictureFacts, other: PictureFacts, tools: MediaTools): boolean {
  const [first, second] = [one, other].map((facts) =>
    thumbnailArgs({ ...planOf({ path: '', atSeconds, outPath: '' }, facts, tools), exact: false }),
  );
  return isDeepStrictEqual(first, second);
}

function planOf(
  { path, atSeconds, outPath }: { path: string; atSeconds: number; outPath: string },
  facts: PictureFacts,
  tools: MediaTools,
): Omit<ThumbnailPlan, 'exact'> {
  return {
    path: resolve(path),
    container: facts.container,
    // ffmpeg counts from the start of the file's first track.
    atSeconds: clampToPicture(atSeconds, facts) + (facts.offsetMs ?? 0) / 1000,
    filmTrack: facts.filmTrack,
    width: facts.width,
    height: facts.height,
    toneMap: facts.hdr && !tools.missing.includes('zscale'),
    outPath: resolve(outPath),
  };
}

/**
 * Seconds to seek to. ffmpeg uses the first frame at or after that time, rounded to its own clock. A time later than
 * one frame before the last is moved there; otherwise there would be no output.
 */
export function clampToPicture(atSeconds: number, facts: Pick<VideoFacts, 'lastFrameMs' | 'fps'>): number {
  const frameMs = facts.fps > 0 ? 1000 / facts.fps : 100;
  const latest = Math.max(0, facts.lastFrameMs - frameMs) / 1000;
  return Number.isFinite(atSeconds) ? Math.min(Math.max(0, atSeconds), latest) : 0;
}

/** Returns whether a program wrote anything to a file. */
export async function hasContent(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && found.size > 0;
}
