import { randomUUID } from 'node:crypto';
import { appendFile, rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { apiError, ReelayError } from '../../errors/reelay-error.ts';
import type { Semaphore } from '../../lib/semaphore.ts';
import { storageError } from '../../storage/storage-error.ts';
import type { MediaChecker } from '../check.ts';
import { MAX_OUTPUT } from '../commands.ts';
import { conversionError } from '../conversion-error.ts';
import { claimFile, saysDiskFull } from '../disk.ts';
import { pictureProblem } from '../empty-picture.ts';
import { type GuardedRun, type Limits, runGuarded } from '../guard.ts';
import { soundProblem } from '../sound.ts';
import type { MediaTools } from '../tools.ts';
import type { VideoFacts } from '../types.ts';
import { progressOf, renderArgs } from './args.ts';
import { encodedInstead } from './plan.ts';
import { lengthOf, MIN_BYTES, predictFacts, type RenditionSpec } from './spec.ts';

/** The conversion hit a time or memory limit, or was interrupted. A retry may succeed. */
export class RenditionFailed extends Error {
  override name = 'RenditionFailed';
}

export interface RenderOptions {
  tools: MediaTools;
  /** Limits concurrent transcodes. */
  slots: Semaphore;
  checker: MediaChecker;
  /** Default: {@link renderLimits}. */
  limits?: Limits;
  signal?: AbortSignal;
  /** @param done progress from 0 to 1, increasing */
  onProgress?(done: number): void;
}

/** Limits of one rendition by the length of the video: a twentieth of real time for 4K HDR, plus a minute. */
export function renderLimits({ durationMs }: VideoFacts): Limits {
  const seconds = durationMs / 1000;
  return {
    addressBytes: 3 * 1024 * 1024 * 1024,
    cpuSeconds: 60 + 20 * seconds,
    wallMs: (60 + 20 * seconds) * 1000,
    // Room for a report of 300 bytes twice a second.
    outputBytes: 16 * 1024 * 1024,
    fileBytes: MAX_OUTPUT + 16 * 1024 * 1024,
    nice: 10,
  };
}

/** One thread per conversion, as there is one conversion per core. More threads delayed requests four times as long. */
const THREADS = 1;

/** Tolerance for the length and the last frame, in ms. */
const LENGTH_SLACK_MS = 300;

/**
 * Makes a rendition in a temporary file beside `outPath`, verifies it with the media checker and against the spec, then
 * renames it. An interrupted ffmpeg leaves a valid but short file. A stream copy with a wrong result is encoded
 * instead. A result that lost the sound or the picture is no result. On any failure no file is left.
 * @param facts of the video at `path`
 * @returns those of the new file
 * @throws ReelayError `video_unreadable` with the cause when it cannot be converted, `storage_full` or
 * `storage_unavailable` when the new file cannot be written; RenditionFailed; the signal's reason
 */
export async function renderVideo(
  path: string,
  facts: VideoFacts,
  spec: RenditionSpec,
  outPath: string,
  options: RenderOptions,
): Promise<VideoFacts> {
  const temporary = `${resolve(outPath)}.${randomUUID()}.part`;
  try {
    await claimFile(temporary);
    const made = await options.slots.run(async () => {
      const first = await attempt(path, facts, spec, temporary, options);
      if (!(first instanceof ReelayError)) return first;
      const instead = encodedInstead(spec, facts);
      const second = instead ? await attempt(path, facts, instead, temporary, options) : first;
      if (second instanceof ReelayError) throw second;
      return second;
    }, options.signal);
    await rename(temporary, outPath).catch((cause) => {
      throw storageError(cause);
    });
    return made;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Runs one conversion. @returns the facts of the result, or the error */
async function attempt(
  path: string,
  facts: VideoFacts,
  spec: RenditionSpec,
  outPath: string,
  { tools, checker, signal, ...options }: RenderOptions,
): Promise<VideoFacts | ReelayError> {
  const canToneMap = !tools.missing.includes('zscale');
  const args = renderArgs({ path: resolve(path), outPath, facts, spec, canToneMap, threads: THREADS });
  const onLine = reporter(lengthOf(spec, facts), options.onProgress);
  const limits = { ...(options.limits ?? renderLimits(facts)), limiter: tools.limiter, signal, onLine };
  const run = await runGuarded(tools.ffmpeg, args, limits);
  throwIfStopped(run);
  if (run.code !== 0) return conversionError(run.stderr, facts);
  await fillUp(outPath);
  const made = await checker.check(outPath, { signal, fit: 'pad', isTrimmed: true }).catch((error: unknown) => {
    if (error instanceof ReelayError && error.status === 400) return apiError('video_undecodable');
    throw error;
  });
  if (made instanceof ReelayError) return made;
  const lost =
    spec.audio === 'none' || spec.audio === 'silence'
      ? null
      : await soundProblem({ path, facts }, made, { tools, signal });
  const problem = lost ?? difference(spec, facts, made);
  if (problem) return problem;
  return (await pictureProblem({ path, facts }, { path: outPath, facts: made }, { tools, signal })) ?? made;
}

/** @throws ReelayError or RenditionFailed if the video is not the cause */
function throwIfStopped(run: GuardedRun): void {
  if (saysDiskFull(run.stderr)) throw new ReelayError('storage_full');
  if (run.timedOut) throw new RenditionFailed('Converting the video takes too long.');
  if (run.signal !== null || run.stopped) throw new RenditionFailed('Converting the video was interrupted.');
  if (run.code !== 0 && /cannot allocate memory|malloc of size|failed to allocate/i.test(run.stderr))
    throw new RenditionFailed('Converting the video takes too much memory.');
}

/** Appends an empty box (ISO/IEC 14496-12, 8.1.2) to a file below the minimum size. */
async function fillUp(path: string): Promise<void> {
  try {
    const missing = MIN_BYTES - (await stat(path)).size;
    if (missing <= 0) return;
    const box = Buffer.alloc(Math.max(8, missing));
    box.writeUInt32BE(box.length);
    box.write('free', 4, 'latin1');
    await appendFile(path, box);
  } catch (cause) {
    throw storageError(cause);
  }
}

/** Returns what differs from the prediction: length, last frame, bytes, pixels, frame rate, hidden frames; or null. */
function difference(spec: RenditionSpec, facts: VideoFacts, made: VideoFacts): ReelayError | null {
  const [, most] = predictFacts(spec, facts);
  const lengthMs = lengthOf(spec, facts) * 1000;
  // If the length differs slightly, the last frame may differ too.
  const lastMs = Math.min(facts.lastFrameMs, lengthMs);
  if (made.durationMs < lengthMs - LENGTH_SLACK_MS || made.lastFrameMs < lastMs - LENGTH_SLACK_MS)
    return apiError('video_undecodable');
  const isAsPredicted =
    made.durationMs <= lengthMs + LENGTH_SLACK_MS &&
    made.bytes <= most.bytes &&
    Math.abs(made.width - most.width) <= 1 &&
    Math.abs(made.height - most.height) <= 1 &&
    Math.abs(made.fps - most.fps) <= Math.max(0.5, most.fps * 0.02) &&
    (made.hiddenFrames ?? 0) === 0 &&
    made.hasAudio === most.hasAudio;
  return isAsPredicted ? null : apiError('conversion_differs');
}

/** Parses ffmpeg's progress. It does not report its last step, moving the index to the front. */
function reporter(seconds: number, tell: RenderOptions['onProgress']): (line: string) => boolean {
  let told = 0;
  return (line) => {
    const done = progressOf(line, seconds);
    if (done !== null && done > told) {
      told = done;
      tell?.(done);
    }
    return true;
  };
}
