import { writeFile } from 'node:fs/promises';
import { ReelayError } from '../errors.ts';

/** Error for a failed file operation: `storage_full` when no space is left, otherwise `storage_unavailable`. */
export function storageError(cause: unknown): ReelayError {
  if (cause instanceof ReelayError) return cause;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return new ReelayError(code === 'ENOSPC' || code === 'EDQUOT' ? 'storage_full' : 'storage_unavailable', undefined, {
    cause,
  });
}

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
