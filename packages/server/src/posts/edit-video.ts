/** Prepares the new video or cover of a post that is edited. */
import { ReelayError } from '../errors/reelay-error.ts';
import { uuidv7 } from '../lib/ids.ts';
import { announcePicture } from '../media/picture-store.ts';
import { readSourceVideo } from '../media/rendition/rendition-store.ts';
import { type Adjustments, NO_ADJUSTMENTS } from '../media/types.ts';
import { openDiskSpaceGuard } from '../storage/disk-space.ts';
import { pictureKey } from '../storage/pictures.ts';
import { openUpload } from '../uploads/posting.ts';
import { type LockedPost, readPost } from './change-store.ts';
import { isUploadOf } from './edit-store.ts';
import { keepVideo, rejectReading, rejectStorage, type StoredVideo } from './keep-video.ts';
import { assertInVideo, createScratch, prepareVideo, previewTimeMs, type Scratch } from './prepare.ts';
import type { PostDeps } from './types.ts';

/** Stored files that the edit's transaction must take over. */
export type NewVideo =
  | { kind: 'video'; media: StoredVideo; uploadId: string; previewTimeMs: number }
  /** @property mediaId the video it was taken from @property thumbnail its filename */
  | { kind: 'cover'; mediaId: string; thumbnail: string; previewTimeMs: number };

interface Wanted {
  userId: string;
  postId: string;
  edit: { uploadId?: string | undefined; adjustments?: Adjustments | undefined; previewTime?: number | undefined };
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** Throws if the edit is refused regardless of the video. */
  check(post: LockedPost): Promise<void>;
}

/**
 * Stores the video or the cover that an edit wants, and lets `write` refer to it. Nothing is left behind if that fails.
 * An upload that the post used last is its video already, so a repeated edit changes it once.
 * @param write its transaction takes over the files; null: video and cover stay
 * @throws ReelayError `unknown_post`, `video_gone`, `preview_time_out_of_range`, `storage_full`, `storage_unavailable`;
 * as {@link openUpload} and {@link prepareVideo}; errors of `check` and `write`
 */
export async function withNewVideo(
  deps: PostDeps,
  wanted: Wanted,
  write: (video: NewVideo | null) => Promise<void>,
): Promise<void> {
  const { userId, postId, edit, check } = wanted;
  const post = await readPost(deps.db, userId, postId);
  if (!post) throw new ReelayError('unknown_post');
  await check(post);
  await openDiskSpaceGuard(deps.storage, deps.config.leastFreeBytes);
  const scratch = createScratch(deps);
  try {
    const { uploadId, previewTime } = edit;
    if (uploadId !== undefined && !(await isUploadOf(deps.db, { userId, uploadId, postId })))
      await replaceVideo(deps, { ...wanted, uploadId, scratch }, write);
    else if (previewTime !== undefined) await changeCover(deps, { ...wanted, post, previewTime, scratch }, write);
    else await write(null);
  } finally {
    await scratch.clear();
  }
}

async function replaceVideo(
  deps: PostDeps,
  { userId, uploadId, edit, scratch, signal }: Wanted & { uploadId: string; scratch: Scratch },
  write: (video: NewVideo) => Promise<void>,
): Promise<void> {
  const { adjustments = NO_ADJUSTMENTS, previewTime = 0 } = edit;
  const original = await openUpload(deps, { userId, uploadId, scratchFolder: deps.storage.scratch });
  scratch.add(original.path);
  const video = await prepareVideo(deps, original, { ...adjustments, previewTime }, { userId, scratch, signal });
  signal.throwIfAborted();
  const atMs = previewTimeMs(previewTime, video.facts);
  await keepVideo(deps, userId, video, (media) => write({ kind: 'video', media, uploadId, previewTimeMs: atMs }));
}

async function changeCover(
  deps: PostDeps,
  { userId, post, previewTime, scratch, signal }: Wanted & { post: LockedPost; previewTime: number; scratch: Scratch },
  write: (video: NewVideo | null) => Promise<void>,
): Promise<void> {
  const { db, storage, media } = deps;
  const source = await readSourceVideo(db, post.mediaId);
  if (!source) throw new ReelayError('video_gone');
  const { storageKey, facts } = source;
  assertInVideo(previewTime, facts);
  const atMs = previewTimeMs(previewTime, facts);
  if (atMs === post.previewTimeMs) return write(null);
  const path = scratch.path('jpg');
  await storage
    .withFile(storageKey, (video) => media.of(userId).thumbnail(video, previewTime, path, facts, signal))
    .catch((cause) => {
      if (signal.aborted) throw cause;
      return rejectReading(cause);
    });
  const thumbnail = `${uuidv7()}.jpg`;
  await announcePicture(db, thumbnail);
  await storage.adopt(pictureKey(thumbnail), path).catch(rejectStorage);
  await write({ kind: 'cover', mediaId: post.mediaId, thumbnail, previewTimeMs: atMs });
}
