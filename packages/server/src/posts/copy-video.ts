/** Posts again: makes an upload of a post's stored video. */
import { createHash } from 'node:crypto';
import { ReelayError } from '../errors/reelay-error.ts';
import { removeUpload } from '../uploads/remove.ts';
import { beginUpload } from '../uploads/service.ts';
import type { UploadDeps } from '../uploads/types.ts';
import { finishUpload, takeLease, uploadKey } from '../uploads/upload-store.ts';
import { rejectReading } from './keep-video.ts';
import { readVideo } from './read-video.ts';

type Deps = Pick<UploadDeps, 'db' | 'storage' | 'config' | 'uploadFiles'>;

/** How long the copy may take, in ms. Nobody else knows the upload meanwhile. */
const LEASE_MS = 10 * 60_000;

/**
 * Copies the video of a post to a finished upload, which one new post can use.
 * @throws ReelayError `unknown_post`, `video_gone`, `too_many_uploads`, `storage_full`, `storage_unavailable`
 */
export async function copyVideo(
  deps: Deps,
  userId: string,
  postId: string,
): Promise<{ uploadId: string; bytes: number }> {
  const video = await readVideo(deps.db, userId, postId);
  if (!video.isStored) throw new ReelayError('video_gone');
  const bytes = await deps.storage.size(video.key).catch(rejectReading);
  if (bytes === null) throw new ReelayError('video_gone');
  const { id } = await beginUpload(deps, { userId, bytes, metadata: undefined });
  try {
    const claim = await takeLease(deps.db, { userId, id, leaseMs: LEASE_MS });
    if (!claim) throw new ReelayError('storage_unavailable');
    const sha256 = await copyFile(deps, video.key, uploadKey(id, claim.file)).catch(rejectReading);
    if (!(await finishUpload(deps.db, claim, sha256))) throw new ReelayError('storage_unavailable');
    return { uploadId: id, bytes };
  } catch (error) {
    // If it cannot be removed now, it expires.
    await removeUpload(deps, { userId, id }).catch(() => {});
    throw error;
  }
}

/** @returns the SHA-256 in hexadecimal */
async function copyFile({ storage, uploadFiles }: Deps, from: string, to: string): Promise<string> {
  const hash = createHash('sha256');
  const file = await uploadFiles.open(to, 0);
  try {
    let position = 0;
    for await (const chunk of (await storage.read(from)) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      await file.write([chunk], position);
      position += chunk.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}
