import { writeFile } from 'node:fs/promises';
import { storageError } from '../storage/storage-error.ts';

/** Returns whether ffmpeg failed because the disk was full. */
export function saysDiskFull(stderr: string): boolean {
  return /No space left on device|Disk quota exceeded/i.test(stderr);
}

/**
 * Creates an empty output file for a program. This distinguishes a missing folder or a full disk from an unreadable
 * video.
 * @throws ReelayError `storage_full` or `storage_unavailable`
 */
export async function claimFile(path: string): Promise<void> {
  await writeFile(path, '', { mode: 0o600 }).catch((cause) => {
    throw storageError(cause);
  });
}
