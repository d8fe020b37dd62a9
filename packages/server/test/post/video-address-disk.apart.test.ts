import { readdir } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { withFolder } from '../harness/folder.ts';
import { fetching, pour, refusalOf, serveSource } from './video-address-world.ts';

/** Blocks opening files until it is ready. */
const disk = vi.hoisted(() => ({ ready: Promise.resolve() }));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const open: typeof real.open = async (...parameters) => {
    await disk.ready;
    return real.open(...parameters);
  };
  return { ...real, open };
});

test('a response is not read faster than the disk writes', async () => {
  const gate = Promise.withResolvers<void>();
  const source = await serveSource((_request, response) => {
    response.on('close', () => gate.resolve());
    pour(response, Buffer.alloc(64 * 1024));
  });
  await withFolder(async (folder) => {
    disk.ready = gate.promise;
    let taken = 0;
    const onBytes = (bytes: number) => {
      taken += bytes;
    };
    const options = { maxBytes: 1_000_000_000, deadlineMs: 300, onBytes };
    const refusal = await refusalOf(fetching(`${source.origin}/v`, folder, options));
    expect(refusal.code).toBe('video_source_slow');
    expect(taken).toBeLessThan(4 * 1024 * 1024);
    expect(await readdir(folder)).toEqual([]);
  });
  await source.close();
});
