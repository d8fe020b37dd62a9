import { availableParallelism } from 'node:os';
import { LRUCache } from 'lru-cache';
import { createSharedSemaphore } from '../lib/semaphore.ts';
import { longShareOf } from '../queue/shares.ts';
import { type CheckOptions, createMediaChecker } from './check.ts';
import { type CheckWithThumbnailOptions, checkWithThumbnail, type WantedThumbnail } from './check-with-thumbnail.ts';
import { type FitOptions, fitVideo } from './fit.ts';
import type { ProbeResult } from './packets.ts';
import type { RenditionSpec } from './rendition/plan.ts';
import { type RenderOptions, renderVideo } from './rendition/render.ts';
import { hasContent, makeThumbnail } from './thumbnail.ts';
import type { MediaTools } from './tools.ts';
import type { Adjustments, VideoFacts } from './types.ts';
import { isVertical } from './verdict.ts';

/** The operations on video files. Users share the limits of concurrency. */
export interface Media {
  tools: MediaTools;
  of(userId: string): UserMedia;
}

/** The operations on the videos of one user. */
export interface UserMedia {
  /** As in {@link createMediaChecker}. */
  check(path: string, options?: CheckOptions): Promise<VideoFacts>;
  /** As in {@link checkWithThumbnail}. */
  checkWithThumbnail(
    path: string,
    wanted: WantedThumbnail,
    options: Pick<CheckWithThumbnailOptions, 'accept' | 'signal' | 'sha256'>,
  ): Promise<VideoFacts>;
  /** As in {@link makeThumbnail}. */
  thumbnail(path: string, atSeconds: number, outPath: string, facts: VideoFacts, signal?: AbortSignal): Promise<void>;
  /** Returns whether a video accepted in any shape must still be converted to 9:16. */
  needsFit(facts: VideoFacts): boolean;
  /** As in {@link fitVideo}. A requested thumbnail always exists afterwards. */
  fit(
    path: string,
    adjustments: Adjustments,
    outPath: string,
    facts: VideoFacts,
    options?: Pick<FitOptions, 'signal' | 'picture'>,
  ): Promise<VideoFacts>;
  /** As in {@link renderVideo}. */
  render(
    path: string,
    facts: VideoFacts,
    spec: RenditionSpec,
    outPath: string,
    options?: Pick<RenderOptions, 'signal' | 'onProgress'>,
  ): Promise<VideoFacts>;
}

/** Cached probe results and thumbnails: about 3 MB, at most 13. */
const REMEMBERED = 50;

const PROBES = 2;
const THUMBNAILS = 2;

/**
 * Creates the media operations: two probes and two thumbnails at a time, and one transcode per core; further ones wait,
 * and users take turns. A transcode takes many minutes, so one user's leave a slot to others. A video with a known hash is
 * checked once. So a check followed by its post, or several posts with one video, run each program once.
 * @param cores number of transcodes at a time
 */
export function createMedia(tools: MediaTools, cores = availableParallelism()): Media {
  const known = new LRUCache<string, ProbeResult>({ max: REMEMBERED });
  const pictures = new LRUCache<string, Buffer>({ max: REMEMBERED });
  const allProbes = createSharedSemaphore({ slots: PROBES, share: PROBES });
  const allThumbnails = createSharedSemaphore({ slots: THUMBNAILS, share: THUMBNAILS });
  const allTranscodes = createSharedSemaphore({ slots: cores, share: longShareOf(cores) });
  return {
    tools,
    of(userId) {
      const thumbnails = allThumbnails.of(userId);
      const transcodes = allTranscodes.of(userId);
      const checker = createMediaChecker({ tools, known, probes: allProbes.of(userId) });
      return {
        check: checker.check,
        checkWithThumbnail: (path, wanted, options) =>
          checkWithThumbnail(path, wanted, { ...options, checker, tools, slots: thumbnails, pictures }),
        thumbnail: (path, atSeconds, outPath, facts, signal) =>
          makeThumbnail(path, atSeconds, outPath, facts, { tools, slots: thumbnails, signal }),
        needsFit: (facts) => !isVertical(facts),
        async fit(path, adjustments, outPath, facts, { signal, picture } = {}) {
          const options = { tools, slots: transcodes, checker, signal, picture };
          const fitted = await fitVideo(path, adjustments, outPath, facts, options);
          if (picture && !(await hasContent(picture.outPath)))
            await makeThumbnail(outPath, picture.atSeconds, picture.outPath, fitted, {
              tools,
              slots: thumbnails,
              signal,
            });
          return fitted;
        },
        render: (path, facts, spec, outPath, options) =>
          renderVideo(path, facts, spec, outPath, { ...options, tools, slots: transcodes, checker }),
      };
    },
  };
}
