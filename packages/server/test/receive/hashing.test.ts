import { createHash, randomBytes } from 'node:crypto';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { collectAfter, createCollector } from '../../src/lib/memory/garbage-collection.ts';
import { createHashing, type Hasher } from '../../src/storage/incoming/hasher.ts';
import { withFolder } from '../harness/folder.ts';

/** An announced size large enough for the thread. */
const LARGE = 1024 ** 3;

/** Writes a file in pieces and notifies the hasher, like the sink. */
async function write(path: string, hasher: Hasher, pieces: readonly Buffer[]): Promise<string> {
  await writeFile(path, '');
  let written = 0;
  for (const piece of pieces) {
    hasher.update(piece);
    await appendFile(path, piece);
    written += piece.length;
    hasher.written(written);
  }
  return createHash('sha256').update(Buffer.concat(pieces)).digest('hex');
}

describe('hashing of large uploads', () => {
  test('gives each of several concurrent files its own hash', async () => {
    await withFolder(async (folder) => {
      const hasherOf = createHashing();
      const files = Array.from({ length: 5 }, (_, index) => {
        const path = join(folder, `file-${index}`);
        const pieces = Array.from({ length: 1 + 3 * index }, () => randomBytes(50_000 * (index + 1)));
        return { hasher: hasherOf(path, LARGE), path, pieces };
      });
      const wanted = await Promise.all(files.map(({ path, hasher, pieces }) => write(path, hasher, pieces)));
      expect(await Promise.all(files.map(({ hasher }) => hasher.digest()))).toEqual(wanted);
    });
  });

  test('fails alone for a file shorter than announced', async () => {
    await withFolder(async (folder) => {
      const hasherOf = createHashing();
      const [good, bad] = ['good', 'bad'].map((name) => join(folder, name)) as [string, string];
      const goodHasher = hasherOf(good, LARGE);
      const badHasher = hasherOf(bad, LARGE);
      await writeFile(bad, 'short');
      badHasher.written(1_000_000);
      const wanted = await write(good, goodHasher, [randomBytes(100_000)]);
      await expect(badHasher.digest()).rejects.toThrow('shorter');
      expect(await goodHasher.digest()).toBe(wanted);
    });
  });

  test('continues after one is stopped, and restarts later', async () => {
    await withFolder(async (folder) => {
      const hasherOf = createHashing();
      const given = hasherOf(join(folder, 'given up'), LARGE);
      const kept = hasherOf(join(folder, 'kept'), LARGE);
      await write(join(folder, 'given up'), given, [randomBytes(10)]);
      given.stop();
      const wanted = await write(join(folder, 'kept'), kept, [randomBytes(10)]);
      expect(await kept.digest()).toBe(wanted);
      const later = hasherOf(join(folder, 'later'), LARGE);
      expect(await write(join(folder, 'later'), later, [randomBytes(10)])).toBe(await later.digest());
    });
  });

  test('of an empty file is the hash of no bytes', async () => {
    const hasher = createHashing()('/nowhere', LARGE);
    expect(await hasher.digest()).toBe(createHash('sha256').digest('hex'));
  });
});

test('upload buffers are collected once per 3 MiB', () => {
  let collected = 0;
  const used = collectAfter({ young: () => collected++, all: () => {} });
  for (let chunk = 0; chunk < 192; chunk++) used(64 * 1024);
  expect(collected).toBe(4);
});

test.each(['young', 'all'] as const)('unused buffers are freed: %s', (generation) => {
  const collector = createCollector();
  collector.all();
  const before = process.memoryUsage().arrayBuffers;
  for (let chunk = 0; chunk < 64; chunk++) Buffer.alloc(64 * 1024);
  expect(process.memoryUsage().arrayBuffers - before).toBeGreaterThan(2 * 1024 * 1024);
  collector[generation]();
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1024 * 1024);
});
