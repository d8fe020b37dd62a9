import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { apiError, ReelayError } from '../errors/reelay-error.ts';
import type { Semaphore } from '../lib/semaphore.ts';
import { storageError } from '../storage/storage-error.ts';
import type { MediaChecker } from './check.ts';
import type { WantedThumbnail } from './check-with-thumbnail.ts';
import { fitArgs, MAX_OUTPUT } from './commands.ts';
import { conversionError } from './conversion-error.ts';
import { claimFile, saysDiskFull } from './disk.ts';
import { pictureProblem } from './empty-picture.ts';
import { type Limits, runGuarded } from './guard.ts';
import { partOf } from './part.ts';
import { soundProblem } from './sound.ts';
import { clampToPicture } from './thumbnail.ts';
import type { MediaTools } from './tools.ts';
import type { Adjustments, Part, VideoFacts } from './types.ts';

/** Limits of one transcode: 90 s of 4K at a tenth of real time, on two cores. */
export const FIT_LIMITS: Limits = {
  addressBytes: 3 * 1024 * 1024 * 1024,
  cpuSeconds: 1800,
  wallMs: 900_000,
  outputBytes: 64 * 1024,
  // Moving the index to the front rewrites the file in place and does not exceed this size.
  fileBytes: MAX_OUTPUT + 16 * 1024 * 1024,
  nice: 10,
};

/** Maximum change of the length, in ms: more than one frame and one audio block. */
const LENGTH_SLACK_MS = 500;

export interface FitOptions {
  tools: MediaTools;
  slots: Semaphore;
  checker: MediaChecker;
  limits?: Limits;
  signal?: AbortSignal;
  /** A JPEG made by the same run. It may be missing if there is no frame at that time. */
  picture?: WantedThumbnail;
}

/**
 * Converts a video, or a part of it, to a 9:16 MP4 of at most 1080 × 1920 (H.264, AAC). Written to a temporary file
 * beside `outPath`. Renamed only after ffmpeg succeeded and a new check passed, because an interrupted ffmpeg leaves a
 * valid but short file. The sound and the picture must have been kept. On any failure no file is left.
 * @param adjustments without `fit`, the video must be vertical
 * @returns the facts of the new file
 * @throws ReelayError `video_unreadable` with the cause when it cannot be converted, `storage_full` or
 * `storage_unavailable` when the new file cannot be written; as {@link partOf}
 */
export async function fitVideo(
  path: string,
  adjustments: Adjustments,
  outPath: string,
  facts: VideoFacts,
  options: FitOptions,
): Promise<VideoFacts> {
  const part = partOf(adjustments.trim, facts);
  const video = { path, outPath, facts, part, adjustments };
  if (part === null) return makeFitted({ ...video, exact: true }, options);
  // Without an index a seek may find nothing, or another part.
  return makeFitted({ ...video, exact: false }, options).catch((error) => {
    options.signal?.throwIfAborted();
    if (!(error instanceof ReelayError) || error.code !== 'video_unreadable') throw error;
    return makeFitted({ ...video, exact: true }, options);
  });
}

interface ToFit {
  path: string;
  outPath: string;
  facts: VideoFacts;
  part: Part | null;
  adjustments: Adjustments;
  /** As in {@link FitPlan}. */
  exact: boolean;
}

async function makeFitted(video: ToFit, options: FitOptions): Promise<VideoFacts> {
  const { path, outPath, facts, part, adjustments, exact } = video;
  const { tools, checker, signal, picture } = options;
  const temporary = `${resolve(outPath)}.${randomUUID()}.part`;
  const lastFrameMs = part ? Math.min(part.lengthMs, facts.lastFrameMs - part.startMs) : facts.lastFrameMs;
  const args = fitArgs({
    ...facts,
    path: resolve(path),
    fit: adjustments.fit ?? 'pad',
    cropPosition: adjustments.cropPosition,
    ...{ part, exact },
    toneMap: facts.hdr && !tools.missing.includes('zscale'),
    threads: Math.min(4, availableParallelism()),
    outPath: temporary,
    picture: picture && { ...picture, atSeconds: clampToPicture(picture.atSeconds, { ...facts, lastFrameMs }) },
  });
  const limits = { ...(options.limits ?? FIT_LIMITS), limiter: tools.limiter, signal };
  try {
    await claimFile(temporary);
    // Otherwise ffmpeg creates it, readable by everybody.
    if (picture) await claimFile(picture.outPath);
    const run = await options.slots.run(() => runGuarded(tools.ffmpeg, args, limits), signal);
    if (saysDiskFull(run.stderr)) throw new ReelayError('storage_full');
    if (run.code !== 0) {
      throw run.timedOut ? apiError('conversion_too_slow') : conversionError(run.stderr, facts);
    }
    const made = await checker.check(temporary, { signal });
    if (Math.abs(made.durationMs - (part?.lengthMs ?? facts.durationMs)) > LENGTH_SLACK_MS) {
      throw apiError('video_undecodable');
    }
    const original = { path, facts, part };
    const problem =
      (await soundProblem(original, made, { tools, signal })) ??
      (await pictureProblem(original, { path: temporary, facts: made }, { tools, signal }));
    if (problem) throw problem;
    await rename(temporary, outPath).catch((cause) => {
      throw storageError(cause);
    });
    return made;
  } catch (error) {
    await Promise.all([temporary, picture?.outPath].map((each) => each && rm(each, { force: true })));
    throw error;
  }
}
