import { availableParallelism } from 'node:os';
import { LRUCache } from 'lru-cache';
import { type CheckOptions, createMediaChecker } from './check.ts';
import { type CheckWithThumbnailOptions, checkWithThumbnail, type WantedThumbnail } from './check-with-thumbnail.ts';
import { type FitOptions, fitVideo } from './fit.ts';
import type { RenditionSpec } from './rendition/plan.ts';
import { type RenderOptions, renderVideo } from './rendition/render.ts';
import { createSemaphore } from './semaphore.ts';
import { hasContent, makeThumbnail } from './thumbnail.ts';
import type { MediaTools } from './tools.ts';
import type { Fit, VideoFacts } from './types.ts';
import { isVertical } from './verdict.ts';

/** All operations on video files, with their concurrency limits. */
export interface Media {
  tools: MediaTools;
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
    fit: Fit,
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

/**
 * Creates the media operations: two probes and two thumbnails at a time, and one transcode per core; further ones wait.
 * A video with a known hash is checked once. So a check followed by its post, or several posts with one video, run each
 * program once.
 */
export function createMedia(tools: MediaTools): Media {
  const checker = createMediaChecker({ tools, known: new LRUCache({ max: REMEMBERED }) });
  const pictures = new LRUCache<string, Buffer>({ max: REMEMBERED });
  const thumbnails = createSemaphore(2);
  const transcodes = createSemaphore(availableParallelism());
  return {
    tools,
    check: checker.check,
    checkWithThumbnail: (path, wanted, options) =>
      checkWithThumbnail(path, wanted, { ...options, checker, tools, slots: thumbnails, pictures }),
    thumbnail: (path, atSeconds, outPath, facts, signal) =>
      makeThumbnail(path, atSeconds, outPath, facts, { tools, slots: thumbnails, signal }),
    needsFit: (facts) => !isVertical(facts),
    async fit(path, fit, outPath, facts, { signal, picture } = {}) {
      const fitted = await fitVideo(path, fit, outPath, facts, { tools, slots: transcodes, checker, signal, picture });
      if (picture && !(await hasContent(picture.outPath)))
        await makeThumbnail(outPath, picture.atSeconds, picture.outPath, fitted, { tools, slots: thumbnails, signal });
      return fitted;
    },
    render: (path, facts, spec, outPath, options) =>
      renderVideo(path, facts, spec, outPath, { ...options, tools, slots: transcodes, checker }),
  };
}
