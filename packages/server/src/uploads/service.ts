/** Creates uploads and reports their state. `receive.ts` writes to them; `posting.ts` posts them. */
import { apiError, ReelayError } from '../errors/reelay-error.ts';
import { isUuid, uuidv7 } from '../lib/ids.ts';
import { lockPlan } from '../plans/plan-store.ts';
import { openDiskSpaceGuard } from '../storage/disk-space.ts';
import { parseMetadata } from './headers.ts';
import { readIdleUpload } from './lease.ts';
import { removeUpload } from './remove.ts';
import { IDLE_MS, MAX_UNUSED, MAX_UPLOAD, type Upload, type UploadDeps } from './types.ts';
import { findUpload, forgetIdle, insertUpload, listUnused } from './upload-store.ts';

/**
 * Creates an upload of this size in bytes. Its file is created with the first piece.
 * @param metadata raw `Upload-Metadata` header
 * @throws ReelayError `invalid_request`, `video_too_large`, `too_many_uploads`, `storage_full`, `storage_unavailable`
 */
export async function beginUpload(
  needs: Pick<UploadDeps, 'db' | 'storage' | 'config'>,
  { userId, bytes, metadata }: { userId: string; bytes: number; metadata: string | undefined },
): Promise<{ id: string; expiresAt: Date }> {
  const { filename, sha256 } = parseMetadata(metadata);
  if (bytes === 0) throw apiError('upload_empty');
  if (bytes > MAX_UPLOAD) throw new ReelayError('video_too_large');
  (await openDiskSpaceGuard(needs.storage, needs.config.leastFreeBytes)).take(bytes);
  const id = uuidv7();
  return needs.db.transaction(async (tx) => {
    // New uploads of a user are counted one after another.
    await lockPlan(tx, userId);
    const excess = async () => quotaExcess(await listUnused(tx, userId), bytes);
    // Removes abandoned uploads first.
    if (await excess()) await forgetIdle(tx, userId, IDLE_MS);
    const problem = await excess();
    if (problem !== null) throw problem;
    const expiresAt = await insertUpload(tx, { id, userId, bytes, metadata: metadata ?? null, filename, sha256 });
    return { id, expiresAt };
  });
}

/** The error for the quota that a new upload of this size would exceed, or null. */
function quotaExcess(unused: readonly { id: string; bytes: number }[], bytes: number): ReelayError | null {
  const total = unused.reduce((sum, each) => sum + each.bytes, 0);
  const ids = unused.map(({ id }) => id).join(', ');
  if (unused.length >= MAX_UNUSED.uploads)
    return apiError('upload_count_exceeded', { count: unused.length, limit: MAX_UNUSED.uploads, ids });
  if (total + bytes <= MAX_UNUSED.bytes) return null;
  return apiError('upload_space_exceeded', { used: total, limit: MAX_UNUSED.bytes, ids });
}

/**
 * Reads the durable state of an upload. A request that still writes to it is asked to end first.
 * @throws ReelayError `unknown_upload`, `upload_used`
 */
export async function standing(deps: UploadDeps, which: { userId: string; uploadId: string }): Promise<Upload> {
  return readIdleUpload(deps, which);
}

/** Removes an upload and its file. @throws ReelayError `unknown_upload`, `upload_used` */
export async function endUpload(
  deps: UploadDeps,
  { userId, uploadId }: { userId: string; uploadId: string },
): Promise<void> {
  if (!(await removeUpload(deps, { userId, id: uploadId }))) return refuse(deps, userId, uploadId);
  deps.uploadWriters.stop(uploadId, new ReelayError('unknown_upload'));
}

/** Throws the error for an upload that was not removed. */
async function refuse({ db }: UploadDeps, userId: string, uploadId: string): Promise<never> {
  throw new ReelayError((await findUpload(db, userId, uploadId))?.postId ? 'upload_used' : 'unknown_upload');
}

/** @throws ReelayError `unknown_upload` if the text is not a valid id */
export function assertUploadId(text: string): string {
  if (!isUuid(text)) throw new ReelayError('unknown_upload');
  return text;
}
