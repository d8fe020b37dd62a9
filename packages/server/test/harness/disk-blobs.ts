import type { Blobs } from '@reelay/sandbox/contract.ts';
import { storageBlobs } from '../../src/sandbox/storage-blobs.ts';
import { createDiskStorage } from '../../src/storage/disk.ts';

const LEFT_BEHIND_MS = 3_600_000;

/**
 * Crash-safe blobs in a folder: written to a temporary file, synced and renamed. Temporary files older than an hour,
 * left by crashes, are removed.
 */
export async function diskBlobs(folder: string): Promise<Blobs> {
  const storage = await createDiskStorage(folder);
  await storage.sweep(LEFT_BEHIND_MS);
  return storageBlobs(storage, 'blobs');
}
