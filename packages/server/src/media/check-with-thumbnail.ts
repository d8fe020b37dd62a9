import { readFile, rm, writeFile } from 'node:fs/promises';
import type { LRUCache } from 'lru-cache';
import type { Semaphore } from '../lib/semaphore.ts';
import { storageError } from '../storage/storage-error.ts';
import type { MediaChecker } from './check.ts';
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
  /** Limits concurrent thumbnails. */
  slots: Semaphore;
  /** Checks the facts before the thumbnail is used; throwing ends the operation. */
  accept(facts: VideoFacts): void;
  signal?: AbortSignal;
  /** SHA-256 of the file in hexadecimal. If given, cached results for it are used. */
  sha256?: string;
  /** Cache of thumbnails, by the hash of the video and the time. */
  pictures?: LRUCache<string, Buffer>;
}

/** Maximum bytes of a cached thumbnail. A 720 × 1280 thumbnail has about 50 kB; larger ones are made again. */
const MAX_KEPT = 256 * 1024;

/**
 * Checks a video that must be vertical and makes its thumbnail in parallel, which takes hardly longer than one of them.
 * The thumbnail starts with the properties of a typical video. If the check finds others, it is made again; if the
 * check rejects the video, it is discarded. On any failure `outPath` is removed.
 * @throws ReelayError as {@link MediaChecker.check} and {@link makeThumbnail}, and errors of `accept`
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
    if (taken && taken.length <= MAX_KEPT) pictures?.set(key, taken);
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
  const seen = await checker.inspect(path);
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
  // Awaited below; until then the rejection must not be unhandled.
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

/** Typical video: vertical, SDR, and longer than any requested time. */
function usual(container: Container): PictureFacts {
  return { container, width: 9, height: 16, hdr: false, lastFrameMs: Number.POSITIVE_INFINITY, fps: 0 };
}
