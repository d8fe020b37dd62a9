import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { folderBlobs } from '../src/store/folder-blobs.ts';
import { type FolderStore, openFolderStore } from '../src/store/folder-store.ts';
import { memoryBlobs, memoryStore } from '../src/store/memory.ts';
import type { SandboxStore } from '../src/store/store.ts';
import { createFolder, withFolder } from './harness/folder.ts';
import { blobsSuite } from './suites/blobs.ts';
import { storeSuite } from './suites/store.ts';

storeSuite('store in memory', async () => {
  const all = new Map<string, SandboxStore>();
  return {
    open(platform) {
      const store = all.get(platform) ?? memoryStore();
      all.set(platform, store);
      return store;
    },
    close: async () => {},
  };
});

storeSuite('store in a folder', async () => {
  const { folder, remove } = await createFolder();
  const all = new Map<string, FolderStore>();
  return {
    open(platform) {
      const store = all.get(platform) ?? openFolderStore(folder, platform);
      all.set(platform, store);
      return store;
    },
    async close() {
      for (const store of all.values()) store.close();
      await remove();
    },
  };
});

blobsSuite('blobs in memory', async () => ({ blobs: memoryBlobs(), close: async () => {} }));

blobsSuite('blobs in a folder', async () => {
  const { folder, remove } = await createFolder();
  return { blobs: folderBlobs(folder), close: remove };
});

const ENTRY = {
  ...{ id: '1', username: 'nora', text: 'hello', url: 'https://example.org/1', publishedAt: 1 },
  ...{ bytes: 2, sha256: 'ab', blobs: ['a'], mime: 'video/mp4' },
};

test('a store in a folder outlives its process', async () => {
  await withFolder(async (folder) => {
    const before = openFolderStore(folder, 'one');
    await before.put('post', 'a', { text: '\u0000 \ud800 é' }, 'nora');
    await before.insert('post', 'b', 1, 'nora');
    await before.insert('post', 'b', 2, 'other');
    await before.put('post', 'c', 3);
    await before.change<number>('post', 'c', (value = 0) => value + 1, 'nora');
    await before.change('post', 'a', () => undefined);
    await before.put('post', 'd', 4, 'nora');
    await before.remove('post', 'd');
    await before.publish(ENTRY, 'act');
    await before.publish(ENTRY, 'act');
    await before.publish({ ...ENTRY, id: '2' });
    await before.publish({ ...ENTRY, id: '3' });
    await before.unpublish('2');
    const list = await before.list('post', { owner: 'nora', limit: 9 });
    const published = await before.published();
    before.close();

    const after = openFolderStore(folder, 'one');
    expect(await after.list('post', { owner: 'nora', limit: 9 })).toEqual(list);
    expect(list.map(({ key, value }) => [key, value])).toEqual([
      ['c', 4],
      ['b', 1],
      ['a', { text: '\u0000 \ud800 é' }],
    ]);
    expect(await after.published()).toEqual(published);
    expect(published.map(({ id }) => id)).toEqual(['1', '3']);
    await after.publish(ENTRY, 'act');
    expect(await after.published()).toEqual(published);
    after.close();
  });
});

test('the journal keeps the order of concurrent changes', async () => {
  await withFolder(async (folder) => {
    const before = openFolderStore(folder, 'one');
    await Promise.all([before.insert('kind', 'key', 'first'), before.put('kind', 'key', 'second')]);
    before.close();
    const after = openFolderStore(folder, 'one');
    expect(await after.get('kind', 'key')).toBe('second');
    after.close();
  });
});

test('a journal line that a crash cut off is dropped', async () => {
  await withFolder(async (folder) => {
    const before = openFolderStore(folder, 'one');
    await before.put('kind', 'whole', 1);
    before.close();
    await appendFile(join(folder, 'one.jsonl'), '["put","kind","half",');
    const between = openFolderStore(folder, 'one');
    await between.put('kind', 'next', 2);
    between.close();
    const after = openFolderStore(folder, 'one');
    expect(await Promise.all(['whole', 'half', 'next'].map((key) => after.get('kind', key)))).toEqual([
      1,
      undefined,
      2,
    ]);
    after.close();
  });
});

test('a broken upload leaves no file', async () => {
  await withFolder(async (folder) => {
    const blobs = folderBlobs(folder);
    await blobs.put('key', Readable.from(['kept'], { objectMode: false }));
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('half');
        throw new Error('broken off');
      })(),
    );
    await expect(blobs.put('other', broken)).rejects.toThrow('broken off');
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) => each.isFile());
    expect(files).toHaveLength(1);
  });
});
