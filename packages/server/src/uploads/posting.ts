/** Uses a finished upload as the video of a post. */
import { join } from 'node:path';
import type { Queryable } from '../db/database.ts';
import { apiError, ReelayError } from '../errors/reelay-error.ts';
import { isUuid, uuidv7 } from '../lib/ids.ts';
import { handOverPreview } from '../media/rendition/preview-store.ts';
import { storageError } from '../storage/storage-error.ts';
import type { Upload, UploadDeps } from './types.ts';
import { extendExpiry, markUsed, uploadKey } from './upload-store.ts';

/** A finished upload, opened for a post. */
export interface OpenedUpload {
  /** A link or copy in the scratch folder, owned by the caller. Changing or removing it does not affect the upload. */
  path: string;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
}

/**
 * Opens a finished upload for a post that is being created. The upload is kept for at least an hour.
 * @throws ReelayError `unknown_upload`, `upload_incomplete`, `upload_used`, `storage_full`, `storage_unavailable`
 */
export async function openUpload(
  { db, uploadFiles }: Pick<UploadDeps, 'db' | 'uploadFiles'>,
  { userId, uploadId, scratchFolder }: { userId: string; uploadId: string; scratchFolder: string },
): Promise<OpenedUpload> {
  const found = isUuid(uploadId) ? await extendExpiry(db, userId, uploadId) : null;
  if (!found) throw new ReelayError('unknown_upload');
  const { bytes } = found;
  const sha256 = assertUsable(found);
  const path = join(scratchFolder, `${uuidv7()}.upload`);
  await uploadFiles.lend(uploadKey(found.id, found.file), path).catch((cause) => {
    throw storageError(cause);
  });
  return { path, bytes, sha256 };
}

/**
 * @returns the SHA-256 in hexadecimal
 * @throws ReelayError `upload_incomplete`, `upload_used`
 */
export function assertUsable({ postId, sha256, durable, bytes }: Upload): string {
  if (postId !== null) throw new ReelayError('upload_used');
  if (sha256 === null) throw apiError('upload_incomplete_at', { received: durable, total: bytes });
  return sha256;
}

/**
 * Assigns the upload to this post only, in the transaction that writes the post. The file-removal loop deletes its
 * file. Its preview becomes that of the post's video.
 * @throws ReelayError `upload_used`, also if it was deleted meanwhile
 */
export async function useUpload(
  tx: Queryable,
  { userId, uploadId, postId, mediaId }: { userId: string; uploadId: string; postId: string; mediaId: string },
): Promise<void> {
  if (!(await markUsed(tx, { userId, id: uploadId, postId }))) throw new ReelayError('upload_used');
  await handOverPreview(tx, { uploadId, mediaId });
}
