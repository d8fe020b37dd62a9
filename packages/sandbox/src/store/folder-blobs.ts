import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Blobs } from '../contract.ts';

/**
 * Blobs as files in a folder. A blob appears whole or not at all: it is written beside its place and renamed. Keys may
 * be anything: they are hashed into names.
 */
export function folderBlobs(folder: string): Blobs {
  const pathOf = (key: string) => {
    const name = createHash('sha256').update(key).digest('hex');
    return join(folder, name.slice(0, 2), name);
  };
  return {
    async put(key, source) {
      const path = pathOf(key);
      const draft = `${path}.${randomUUID()}`;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const hash = createHash('sha256');
      let bytes = 0;
      const measure = async function* (parts: AsyncIterable<Buffer>) {
        for await (const part of parts) {
          hash.update(part);
          bytes += part.length;
          yield part;
        }
      };
      try {
        await pipeline(source, measure, createWriteStream(draft, { mode: 0o600 }));
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
      return { bytes, sha256: hash.digest('hex') };
    },
    async get(key, range) {
      const file = await open(pathOf(key));
      return file.createReadStream(range ? { start: range.first, end: range.last } : {}) as Readable;
    },
    size: (key) =>
      stat(pathOf(key)).then(
        (found) => found.size,
        (error) => {
          if (error.code === 'ENOENT') return null;
          throw error;
        },
      ),
    remove: (key) => rm(pathOf(key), { force: true }),
    async hash(keys) {
      const hash = createHash('sha256');
      let bytes = 0;
      for (const key of keys)
        for await (const part of createReadStream(pathOf(key)) as AsyncIterable<Buffer>) {
          hash.update(part);
          bytes += part.length;
        }
      return { bytes, sha256: hash.digest('hex') };
    },
  };
}
