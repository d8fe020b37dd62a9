import { availableParallelism } from 'node:os';
import { type CheckOptions, createMediaChecker } from './check.ts';
import { type CheckWithThumbnailOptions, checkWithThumbnail, type WantedThumbnail } from './check-with-thumbnail.ts';
import { type FitOptions, fitVideo } from './fit.ts';
import { createKept } from './kept.ts';
import type { RenditionSpec } from './rendition/plan.ts';
import { type RenderOptions, renderVideo } from './rendition/render.ts';
import { createSemaphore } from './semaphore.ts';
import { hasContent, makeThumbnail } from './thumbnail.ts';
import type { MediaTools } from './tools.ts';
import type { Fit, VideoFacts } from './types.ts';
import { isVertical } from './verdict.ts';

/** Everything the service does with a video file, with its bounds on how much of it happens at once. */
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
  /** Whether a video that was accepted in any shape still has to be made 9:16. */
  needsFit(facts: VideoFacts): boolean;
  /** As in {@link fitVideo}; a picture that is asked for is there afterwards. */
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

/** How many videos of the last ones, and pictures of them, are remembered: some 3 MB, and at the very most 13. */
const REMEMBERED = 50;

/**
 * Two probes and two thumbnails at once, one transcode per core; whoever comes later waits. Whoever gives the hash of a
 * video has it checked once: a check and the post after it, or one video in several posts, start no program twice.
 */
export function createMedia(tools: MediaTools): Media {
  const checker = createMediaChecker({ tools, known: createKept(REMEMBERED) });
  const pictures = createKept<Buffer>(REMEMBERED);
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
