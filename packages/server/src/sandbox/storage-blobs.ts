import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Blobs } from '@reelay/sandbox/contract.ts';
import type { Quota } from '@reelay/sandbox/store/quota.ts';
import type { Storage } from '../storage/contract.ts';

/**
 * Blobs in a storage, under one prefix. Keys are hashed into names, so any text is allowed.
 * @param prefix a storage key without a trailing slash, such as `sandbox/tiktok`
 * @param options.used called with the number of bytes buffered in memory
 * @param options.quota limits what is stored; absent: unlimited
 */
export function storageBlobs(
  storage: Storage,
  prefix: string,
  { used = () => {}, quota }: { used?: ((bytes: number) => void) | undefined; quota?: Quota } = {},
): Blobs {
  const nameOf = (key: string) => {
    const hash = createHash('sha256').update(key).digest('hex');
    return `${prefix}/${hash.slice(0, 2)}/${hash}`;
  };
  return {
    async put(key, source) {
      await quota?.assertRoom();
      const hash = createHash('sha256');
      const measured = async function* () {
        for await (const part of source as AsyncIterable<Buffer>) {
          hash.update(part);
          used(part.length);
          quota?.add(part.length);
          yield part;
        }
      };
      const { bytes } = await storage.put(nameOf(key), Readable.from(measured(), { objectMode: false }));
      return { bytes, sha256: hash.digest('hex') };
    },
    get: (key, range) => storage.read(nameOf(key), range),
    size: (key) => storage.size(nameOf(key)),
    remove: (key) => storage.remove(nameOf(key)),
    async hash(keys) {
      const hash = createHash('sha256');
      let bytes = 0;
      for (const key of keys)
        for await (const part of (await storage.read(nameOf(key))) as AsyncIterable<Buffer>) {
          hash.update(part);
          used(part.length);
          bytes += part.length;
        }
      return { bytes, sha256: hash.digest('hex') };
    },
  };
}
