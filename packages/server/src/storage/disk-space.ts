import { ReelayError } from '../errors/reelay-error.ts';
import type { Storage } from './contract.ts';
import { storageError } from './storage-error.ts';

/** Guards free disk space while a video is received. */
export interface DiskSpaceGuard {
  /** Called with every chunk. @throws ReelayError `storage_full` */
  take(bytes: number): void;
}

/** Free space is measured again after this many bytes, because others write too. */
const CHECK_EVERY_BYTES = 32 * 1024 * 1024;

/** @param least bytes that must stay free @throws ReelayError `storage_full`, `storage_unavailable` */
export async function openDiskSpaceGuard(storage: Storage, least: number): Promise<DiskSpaceGuard> {
  let free = await readFreeSpace(storage);
  let since = 0;
  let looking = false;
  const refresh = async () => {
    looking = true;
    const before = since;
    try {
      free = await readFreeSpace(storage);
      since -= before;
    } catch {
      // If the storage is unavailable, the write itself fails.
    } finally {
      looking = false;
    }
  };
  if (free < least) throw new ReelayError('storage_full');
  return {
    take(bytes) {
      since += bytes;
      if (free - since < least) throw new ReelayError('storage_full');
      if (since >= CHECK_EVERY_BYTES && !looking) void refresh();
    },
  };
}

async function readFreeSpace(storage: Storage): Promise<number> {
  const free = await storage.free().catch((cause) => {
    throw storageError(cause);
  });
  return free ?? Number.POSITIVE_INFINITY;
}
