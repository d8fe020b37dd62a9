/** Stores a prepared video: its files, and the row that owns them. */
import type { Database } from '../db/database.ts';
import { ReelayError } from '../errors/reelay-error.ts';
import { uuidv7 } from '../lib/ids.ts';
import { announceMedia, fileRemoved, forgetUnused, placesOf } from '../media/media-store.ts';
import type { VideoFacts } from '../media/types.ts';
import { type Storage, StorageMissing } from '../storage/contract.ts';
import { storageError } from '../storage/storage-error.ts';
import type { PreparedVideo } from './prepare.ts';

/** A stored video. */
export interface StoredVideo {
  id: string;
  facts: VideoFacts;
}

interface Deps {
  db: Database;
  storage: Storage;
}

/**
 * Moves the files of the video into the storage and writes what refers to it; undoes both on any failure.
 * @param video in the scratch folder
 * @param write must confirm the media in its transaction; throws to undo
 * @throws ReelayError `storage_full`, `storage_unavailable`; errors of `write`
 */
export async function keepVideo<T>(
  deps: Deps,
  userId: string,
  video: PreparedVideo,
  write: (media: StoredVideo) => Promise<T>,
): Promise<T> {
  const { sha256, facts } = video;
  const id = uuidv7();
  await announceMedia(deps.db, { id, userId, sha256, facts });
  try {
    await adoptFiles(deps.storage, id, video);
    return await write({ id, facts });
  } catch (error) {
    await discardVideo(deps, id);
    throw error;
  }
}

/**
 * Moves the files of an announced video into the storage.
 * @throws ReelayError `storage_full`, `storage_unavailable`
 */
export async function adoptFiles(storage: Storage, mediaId: string, video: PreparedVideo): Promise<void> {
  const places = placesOf(mediaId);
  await storage.adopt(places.picture, video.thumbnailPath).catch(rejectStorage);
  await storage.adopt(places.video, video.path).catch(rejectStorage);
}

/** @throws ReelayError `storage_full`, `storage_unavailable` */
export function rejectStorage(cause: unknown): never {
  throw storageError(cause);
}

/** For reading a stored video, which may be removed meanwhile. @throws ReelayError `video_gone`, and as {@link rejectStorage} */
export function rejectReading(cause: unknown): never {
  if (cause instanceof StorageMissing) throw new ReelayError('video_gone', undefined, { cause });
  return rejectStorage(cause);
}

/**
 * Undoes the announcement and removes the files. Files that cannot be removed now have rows for it: the file-removal loop
 * or the orphan sweep deletes them.
 */
export async function discardVideo({ db, storage }: Deps, mediaId: string): Promise<void> {
  const { video, picture } = placesOf(mediaId);
  const unused = await db.transaction((tx) => forgetUnused(tx, mediaId)).catch(() => false);
  if (!unused) return;
  const remove = async (key: string) => {
    await storage.remove(key);
    await fileRemoved(db, key);
  };
  await Promise.allSettled([remove(video), remove(picture)]);
}
