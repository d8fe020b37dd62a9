/** Prepares a received file for posting: checks it, fits it and makes its thumbnail. Stores nothing yet. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { apiError } from '../errors/reelay-error.ts';
import { uuidv7 } from '../lib/ids.ts';
import { hashFile } from '../media/hash-file.ts';
import { partOf } from '../media/part.ts';
import type { Adjustments, VideoFacts } from '../media/types.ts';
import type { PostDeps } from './types.ts';
import type { ScratchVideo } from './video-source.ts';

export interface PreparedVideo {
  path: string;
  /** In hexadecimal. */
  sha256: string;
  facts: VideoFacts;
  thumbnailPath: string;
}

/** Scratch files of one request. */
export interface Scratch {
  /** A new path. */
  path(extension: string): string;
  /** Takes ownership of a file. */
  add(path: string): void;
  /** Removes the remaining files. Never throws. */
  clear(): Promise<void>;
}

export function createScratch({ storage }: Pick<PostDeps, 'storage'>): Scratch {
  const paths: string[] = [];
  return {
    path(extension) {
      const path = join(storage.scratch, `${uuidv7()}.${extension}`);
      paths.push(path);
      return path;
    },
    add: (path) => void paths.push(path),
    async clear() {
      await Promise.all(paths.map((path) => rm(path, { force: true }).catch(() => {})));
    },
  };
}

/**
 * Checks the video, converts it to 9:16 or cuts it if requested, and makes its thumbnail.
 * @param wanted `previewTime` in seconds from the start of the part
 * @throws ReelayError for every rejection of a video, `preview_time_out_of_range`, `storage_full`,
 * `storage_unavailable`
 */
export async function prepareVideo(
  { media: all }: Pick<PostDeps, 'media'>,
  video: ScratchVideo,
  wanted: Adjustments & { previewTime: number },
  { userId, scratch, signal }: { userId: string; scratch: Scratch; signal: AbortSignal },
): Promise<PreparedVideo> {
  const { fit, trim, previewTime } = wanted;
  const media = all.of(userId);
  const thumbnailPath = scratch.path('jpg');
  if (!fit && !trim) {
    const accept = (found: VideoFacts) => assertInVideo(previewTime, found);
    const thumbnail = { atSeconds: previewTime, outPath: thumbnailPath };
    const facts = await media.checkWithThumbnail(video.path, thumbnail, { accept, signal, sha256: video.sha256 });
    return { ...video, facts, thumbnailPath };
  }
  const facts = await media.check(video.path, { signal, fit, isTrimmed: trim !== null, sha256: video.sha256 });
  const part = partOf(trim, facts);
  // Reject a preview time past the end before spending minutes on the conversion.
  assertInVideo(previewTime, { durationMs: part?.lengthMs ?? facts.durationMs });
  if (part === null && !media.needsFit(facts)) {
    await media.thumbnail(video.path, previewTime, thumbnailPath, facts, signal);
    return { ...video, facts, thumbnailPath };
  }
  const path = scratch.path('mp4');
  const picture = { atSeconds: previewTime, outPath: thumbnailPath };
  const fitted = await media.fit(video.path, wanted, path, facts, { signal, picture });
  return { path, sha256: await hashFile(path), facts: fitted, thumbnailPath };
}

/** Time of the cover, in ms. @param seconds checked by {@link assertInVideo} */
export function previewTimeMs(seconds: number, { durationMs }: Pick<VideoFacts, 'durationMs'>): number {
  return Math.min(Math.round(seconds * 1000), durationMs);
}

/** @throws ReelayError `preview_time_out_of_range` */
export function assertInVideo(seconds: number, { durationMs }: Pick<VideoFacts, 'durationMs'>): void {
  // The length is known to the ms. A player may show a fraction more.
  if (Math.floor(seconds * 1000) <= durationMs) return;
  throw apiError('preview_time_above', { seconds: durationMs / 1000 });
}
