import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { uuidv7 } from '../lib/ids.ts';
import { type Storage, StorageMissing } from './contract.ts';

/**
 * Storage in a folder. A file appears under its key complete and durable, or not at all. It is written to a scratch
 * file, synced and renamed, and then its folder is synced.
 * @param now ms since the epoch
 */
export async function createDiskStorage(folder: string, now: () => number = Date.now): Promise<Storage> {
  const scratch = join(folder, '.scratch');
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const pathOf = (key: string) => {
    if (!/^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/i.test(key)) throw new Error('Invalid storage key.');
    return join(folder, key);
  };
  const adopt = async (key: string, path: string) => {
    const target = pathOf(key);
    await sync(path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(path, target);
    await sync(dirname(target));
  };
  return {
    scratch,
    adopt,
    async put(key, source) {
      const path = join(scratch, uuidv7());
      try {
        await pipeline(source, createWriteStream(path, { mode: 0o600 }));
        const { size } = await stat(path);
        await adopt(key, path);
        return { bytes: size };
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
    },
    async read(key, range) {
      const file = await open(pathOf(key)).catch((error) => {
        throw missing(error) ? new StorageMissing(key) : error;
      });
      const options = range ? { start: range.first, end: range.last } : {};
      return file.createReadStream({ ...options, highWaterMark: 256 * 1024 }) as Readable;
    },
    async size(key) {
      return stat(pathOf(key)).then(
        (found) => found.size,
        (error) => {
          if (missing(error)) return null;
          throw error;
        },
      );
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    async withFile(key, use) {
      const path = pathOf(key);
      if (!(await stat(path).catch(() => null))) throw new StorageMissing(key);
      return use(path);
    },
    link: async () => null,
    async free() {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
    async sweep(olderThanMs) {
      let removed = 0;
      for (const name of await readdir(scratch)) {
        const path = join(scratch, name);
        const found = await stat(path).catch(() => null);
        if (!found || now() - found.mtimeMs < olderThanMs) continue;
        await rm(path, { recursive: true, force: true });
        removed++;
      }
      return removed;
    },
  };
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function missing(error: unknown): boolean {
  return (error as { code?: string }).code === 'ENOENT';
}
