import type { Blobs } from '../connectors/kit/simulator.ts';
import { createDiskStorage } from '../storage/disk.ts';
import { storageBlobs } from './storage-blobs.ts';

const LEFT_BEHIND_MS = 3_600_000;

/**
 * Blobs in a folder that outlive every crash: written under another name, synced, renamed. Uploads that a crash cut
 * off more than an hour ago are cleared away.
 */
export async function diskBlobs(folder: string): Promise<Blobs> {
  const storage = await createDiskStorage(folder);
  await storage.sweep(LEFT_BEHIND_MS);
  return storageBlobs(storage, 'blobs');
}
