import { readFile, rm, writeFile } from 'node:fs/promises';
import type { MediaChecker } from './check.ts';
import { storageError } from './disk.ts';
import type { Kept } from './kept.ts';
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
  /** Of the file's bytes, in hexadecimal. Given: what was found out about them a while ago is not found out again. */
  sha256?: string;
  /** Where pictures stay for a while, by the hash of the video and the moment. */
  pictures?: Kept<Buffer>;
}

/** Bytes. A picture of 720 × 1280 has some 50 kB; what is larger is made again. */
const LARGEST_KEPT = 256 * 1024;

/**
 * Checks a video that must be vertical and takes its thumbnail meanwhile: two programs beside each other take hardly longer
 * than one. The picture is begun as nearly every video needs it; where the check finds otherwise it is taken again, and
 * where it refuses the video there is none. On any failure `outPath` is gone.
 * Throws ReelayError as {@link MediaChecker.check} and {@link makeThumbnail}, and what `accept` throws.
 */
export async function checkWithThumbnail(
  path: string,
  wanted: WantedThumbnail,
  options: CheckWithThumbnailOptions,
): Promise<VideoFacts> {
  const { checker, accept, signal, sha256, pictures } = options;
  const key = `${sha256} ${wanted.atSeconds}`;
  const picture = sha256 && pictures?.get(key);
  if (!picture) {
    const facts = await checkAndTake(path, wanted, options);
    const taken = sha256 && pictures ? await readFile(wanted.outPath).catch(() => null) : null;
    if (taken && taken.length <= LARGEST_KEPT) pictures?.set(key, taken);
    return facts;
  }
  const facts = await checker.check(path, { signal, sha256 });
  accept(facts);
  await writeFile(wanted.outPath, picture, { mode: 0o600 }).catch(async (cause) => {
    await rm(wanted.outPath, { force: true });
    throw storageError(cause);
  });
  return facts;
}

async function checkAndTake(
  path: string,
  { atSeconds, outPath }: WantedThumbnail,
  { checker, tools, slots, accept, signal, sha256 }: CheckWithThumbnailOptions,
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
    facts = await checker.check(path, { signal, seen, sha256 });
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
