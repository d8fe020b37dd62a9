import { writeFile } from 'node:fs/promises';
import { ReelayError } from '../errors.ts';

/** What a failed file operation is answered with: `storage_full` when there is no room, else `storage_unavailable`. */
export function storageError(cause: unknown): ReelayError {
  if (cause instanceof ReelayError) return cause;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return new ReelayError(code === 'ENOSPC' || code === 'EDQUOT' ? 'storage_full' : 'storage_unavailable', undefined, {
    cause,
  });
}

/** Whether ffmpeg ended because the disk was full. */
export function saysDiskFull(stderr: string): boolean {
  return /No space left on device|Disk quota exceeded/i.test(stderr);
}

/**
 * Makes an empty file that a program is about to fill, so that a missing folder or a full disk is told apart from a video
 * that cannot be read. Throws ReelayError `storage_full` or `storage_unavailable`.
 */
export async function claimFile(path: string): Promise<void> {
  await writeFile(path, '', { mode: 0o600 }).catch((cause) => {
    throw storageError(cause);
  });
}
