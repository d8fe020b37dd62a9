import { rm } from 'node:fs/promises';
import type { MediaChecker } from './check.ts';
import type { Semaphore } from './semaphore.ts';
import { isSamePicture, makeThumbnail, type PictureFacts } from './thumbnail.ts';
import type { MediaTools } from './tools.ts';
import type { Container, VideoFacts } from './types.ts';

export interface WantedThumbnail {
  /** Seconds from the start. */
  atSeconds: number;
  outPath: string;
}

export interface CheckWithThumbnailOptions {
  checker: MediaChecker;
  tools: MediaTools;
  /** Of thumbnails. */
  slots: Semaphore;
  /** Looks at the facts before more is made of them; what it throws ends it. */
  accept(facts: VideoFacts): void;
  signal?: AbortSignal;
}

/**
 * Checks a video that must be vertical and takes its thumbnail meanwhile: two programs beside each other take hardly longer
 * than one. The picture is begun as nearly every video needs it; where the check finds otherwise it is taken again, and
 * where it refuses the video there is none. On any failure `outPath` is gone.
 * Throws ReelayError as {@link MediaChecker.check} and {@link makeThumbnail}, and what `accept` throws.
 */
export async function checkWithThumbnail(
  path: string,
  { atSeconds, outPath }: WantedThumbnail,
  { checker, tools, slots, accept, signal }: CheckWithThumbnailOptions,
): Promise<VideoFacts> {
  const seen = await checker.look(path);
  const guess = usual(seen.container);
  const early = new AbortController();
  const either = signal ? AbortSignal.any([signal, early.signal]) : early.signal;
  const begun = makeThumbnail(path, atSeconds, outPath, guess, { tools, slots, signal: either });
  const drop = async () => {
    early.abort();
    await begun.then(
      () => rm(outPath, { force: true }),
      () => {},
    );
  };
  // Looked at below; until then a failure waits.
  begun.catch(() => {});
  let facts: VideoFacts;
  try {
    facts = await checker.check(path, { signal, seen });
    accept(facts);
  } catch (error) {
    await drop();
    throw error;
  }
  if (isSamePicture(atSeconds, guess, facts, tools)) {
    await begun;
    return facts;
  }
  await drop();
  await makeThumbnail(path, atSeconds, outPath, facts, { tools, slots, signal });
  return facts;
}

/** Vertical, of ordinary dynamic range, and longer than any moment that is asked for. */
function usual(container: Container): PictureFacts {
  return { container, width: 9, height: 16, hdr: false, lastFrameMs: Number.POSITIVE_INFINITY, fps: 0 };
}
