/** Downloads from servers that users name share their slots between users. */
import { readdir } from 'node:fs/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ReelayError } from '../../src/errors/reelay-error.ts';
import { createHashing } from '../../src/storage/incoming/hasher.ts';
import { createFetcher, createFileFetcher } from '../../src/uploads/remote/fetcher.ts';
import { withFolder } from '../harness/folder.ts';
import { type Serve, type Source, serveSource } from './video-address-world.ts';

const open: Source[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});
async function source(serve: Serve): Promise<Source> {
  const started = await serveSource(serve);
  open.push(started);
  return started;
}

describe('the slots', () => {
  /** A host that begins each video at `/slow` and never ends it. @param start begins the fetch of a user */
  async function slots(use: (start: (userId: string, path?: string) => Fetch, folder: string) => Promise<void>) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { origin } = await source((request, response) => {
      if (request.url === '/slow') response.write('x');
      else response.end('a video');
    });
    await withFolder(async (folder) => {
      const config = { publicUrl: 'https://reelay.example' };
      const uploads = { hasher: createHashing(), used: () => {} };
      const fetchVideo = createFetcher({ config, storage: { scratch: folder }, uploads, videoHosts: ['127.0.0.1'] });
      const start = (userId: string, path = 'slow') => {
        const begun = Promise.withResolvers<void>();
        const hooks = { userId, onBytes: () => begun.resolve(), signal: new AbortController().signal };
        const result = fetchVideo(`${origin}/${path}`, hooks);
        return {
          begun: begun.promise,
          code: result.then(
            () => 'fetched',
            ({ code }: ReelayError) => code,
          ),
        };
      };
      await use(start, folder);
    }).finally(() => vi.useRealTimers());
  }
  interface Fetch {
    begun: Promise<void>;
    code: Promise<string | undefined>;
  }

  test('of a user are not counted as a slow source', () =>
    slots(async (start, folder) => {
      const eight = Array.from({ length: 8 }, () => start('one'));
      await Promise.all(eight.map(({ begun }) => begun));
      await vi.advanceTimersByTimeAsync(20_000);
      const ninth = start('one');
      await vi.advanceTimersByTimeAsync(25_000);
      for (const { code } of eight) expect(await code).toBe('video_source_slow');
      await ninth.begun;
      let isOver = false;
      void ninth.code.then(() => {
        isOver = true;
      });
      await vi.advanceTimersByTimeAsync(44_000);
      expect(isOver).toBe(false);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await ninth.code).toBe('video_source_slow');
      expect(await readdir(folder)).toEqual([]);
    }));

  test('are left to others while one user fetches slowly', () =>
    slots(async (start) => {
      const many = Array.from({ length: 20 }, () => start('one'));
      await Promise.all(many.slice(0, 8).map(({ begun }) => begun));
      expect(await start('other', 'fast').code).toBe('fetched');
      await vi.advanceTimersByTimeAsync(30_000);
      for (const { code } of many.slice(8)) expect(await code).toBe('busy');
      await vi.advanceTimersByTimeAsync(15_000);
      for (const { code } of many.slice(0, 8)) expect(await code).toBe('video_source_slow');
    }));
});

test('files of posts from a slow server leave slots', async () => {
  const { origin } = await source((request, response) => {
    if (request.url === '/slow') response.write('x');
    else response.end('a video');
  });
  await withFolder(async (folder) => {
    const config = { publicUrl: 'https://reelay.example' };
    const uploads = { hasher: createHashing(), used: () => {} };
    const fetchFile = createFileFetcher({ config, storage: { scratch: folder }, uploads });
    const stop = new AbortController();
    const fetch = (userId: string, path: string) =>
      fetchFile(
        { url: `${origin}/${path}`, headers: {}, guard: { refuse: () => null, allows: () => true } },
        { userId, signal: AbortSignal.any([stop.signal]) },
      );
    const slow = Array.from({ length: 12 }, () => fetch('one', 'slow').catch((error: unknown) => error));
    expect((await fetch('other', 'fast')).bytes).toBe(7);
    stop.abort('over');
    expect(await Promise.all(slow)).toEqual(Array(12).fill('over'));
  });
});
