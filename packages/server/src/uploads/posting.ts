/** How a post takes a finished upload as its video. */
import { join } from 'node:path';
import type { Queryable } from '../db/database.ts';
import { ReelayError } from '../errors.ts';
import { isUuid, uuidv7 } from '../ids.ts';
import { storageError } from '../media/disk.ts';
import { keepForPost, markUsed, uploadKey } from './store.ts';
import type { UploadNeeds } from './types.ts';

/** A finished upload as a post takes it. */
export interface OpenedUpload {
  /** A file of the caller's own in the scratch folder: whatever becomes of it, the upload stays. */
  path: string;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
}

/**
 * Lends a finished upload to a post that is being made; it stays for an hour at least.
 * @throws ReelayError `unknown_upload`, `upload_incomplete`, `upload_used`, `storage_full`, `storage_unavailable`
 */
export async function openUpload(
  { db, uploadFiles }: Pick<UploadNeeds, 'db' | 'uploadFiles'>,
  { userId, uploadId, scratchFolder }: { userId: string; uploadId: string; scratchFolder: string },
): Promise<OpenedUpload> {
  const found = isUuid(uploadId) ? await keepForPost(db, userId, uploadId) : null;
  if (!found) throw new ReelayError('unknown_upload');
  if (found.postId !== null) throw new ReelayError('upload_used');
  const { bytes, sha256, durable } = found;
  if (sha256 === null)
    throw new ReelayError('upload_incomplete', `The upload is not finished: ${durable} of ${bytes} bytes are there.`);
  const path = join(scratchFolder, `${uuidv7()}.upload`);
  await uploadFiles.lend(uploadKey(found.id, found.file), path).catch((cause) => {
    throw storageError(cause);
  });
  return { path, bytes, sha256 };
}

/**
 * In the transaction that writes the post: the upload serves this one and no other. Its own file is removed by the loop
 * that removes files.
 * @throws ReelayError `upload_used`, also where it has gone meanwhile
 */
export async function useUpload(
  tx: Queryable,
  { userId, uploadId, postId }: { userId: string; uploadId: string; postId: string },
): Promise<void> {
  if (!(await markUsed(tx, { userId, id: uploadId, postId }))) throw new ReelayError('upload_used');
}
