/** Contract tests for every implementation of `Blobs`. */
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Blobs } from '../../src/contract.ts';

export function blobsSuite(name: string, start: () => Promise<{ blobs: Blobs; close(): Promise<void> }>): void {
  describe(name, () => {
    let blobs: Blobs;
    let close: () => Promise<void>;
    beforeAll(async () => {
      ({ blobs, close } = await start());
    });
    afterAll(() => close());

    const bytes = randomBytes(300_000);
    const sha256 = (data: Buffer) => createHash('sha256').update(data).digest('hex');
    const stream = (data: Buffer) => Readable.from([data.subarray(0, 100), data.subarray(100)], { objectMode: false });
    const read = async (source: Readable) => Buffer.concat(await source.toArray());

    test('reads bytes whole and in ranges, under any key', async () => {
      for (const key of ['plain', '../../etc/passwd', 'a/b/c', '', 'ü 😀 %2F', 'x'.repeat(5000)]) {
        expect(await blobs.put(key, stream(bytes))).toEqual({ bytes: bytes.length, sha256: sha256(bytes) });
        expect(await blobs.size(key)).toBe(bytes.length);
        expect((await read(await blobs.get(key))).equals(bytes)).toBe(true);
        const part = await read(await blobs.get(key, { first: 99, last: 299_998 }));
        expect(part.equals(bytes.subarray(99, 299_999))).toBe(true);
        expect(await read(await blobs.get(key, { first: 0, last: 0 }))).toHaveLength(1);
      }
    });

    test('an empty blob is a blob', async () => {
      expect(await blobs.put('empty', Readable.from([]))).toEqual({ bytes: 0, sha256: sha256(Buffer.alloc(0)) });
      expect(await blobs.size('empty')).toBe(0);
      expect(await read(await blobs.get('empty'))).toHaveLength(0);
    });

    test('putting a key again replaces its bytes', async () => {
      await blobs.put('again', stream(bytes));
      await blobs.put('again', stream(bytes.subarray(0, 500)));
      expect(await blobs.size('again')).toBe(500);
    });

    test('an aborted stream keeps the previous bytes', async () => {
      const broken = () =>
        Readable.from(
          (async function* () {
            yield bytes;
            throw new Error('broken off');
          })(),
        );
      await expect(blobs.put('fresh', broken())).rejects.toThrow('broken off');
      expect(await blobs.size('fresh')).toBeNull();
      await blobs.put('kept', stream(bytes.subarray(0, 200)));
      await expect(blobs.put('kept', broken())).rejects.toThrow('broken off');
      expect(await blobs.size('kept')).toBe(200);
    });

    test('hashes several blobs as one, in order', async () => {
      await blobs.put('one', stream(bytes.subarray(0, 1000)));
      await blobs.put('two', stream(bytes.subarray(1000)));
      expect(await blobs.hash(['one', 'two'])).toEqual({ bytes: bytes.length, sha256: sha256(bytes) });
      expect((await blobs.hash(['two', 'one'])).sha256).not.toBe(sha256(bytes));
      expect(await blobs.hash([])).toEqual({ bytes: 0, sha256: sha256(Buffer.alloc(0)) });
    });

    test('a missing blob has no size, but can be removed', async () => {
      await blobs.put('gone', stream(bytes));
      await blobs.remove('gone');
      await blobs.remove('gone');
      expect(await blobs.size('gone')).toBeNull();
      await expect(blobs.get('gone')).rejects.toThrow();
      await expect(blobs.hash(['gone'])).rejects.toThrow();
    });
  });
}
