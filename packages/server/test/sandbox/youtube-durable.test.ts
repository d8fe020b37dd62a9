import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GRANULE, sha256, startYouTube } from '../../../sandbox/test/platforms/youtube-calls.ts';
import { postgresStore } from '../../src/sandbox/postgres-store.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { diskBlobs } from '../harness/disk-blobs.ts';
import { isWholeUpload } from '../harness/simulator.ts';

let db: TestDatabase;
let folder: string;
beforeAll(async () => {
  db = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'reelay-youtube-'));
});
afterAll(async () => {
  await db.drop();
  await rm(folder, { recursive: true });
});

/** Starts a simulator that shares only the database and the folder, like another process. */
async function start() {
  return startYouTube({ store: postgresStore(db.another(), 'youtube'), blobs: await diskBlobs(folder) });
}

test('two processes share state, which survives a restart', async () => {
  const [one, two] = await Promise.all([start(), start()]);
  const video = randomBytes(2 * GRANULE);
  const token = await one.token();
  const uri = one.uriOf(await one.start(token, video.length, { snippet: { description: 'durable \u0000 😀' } }));
  const put = (process: typeof one, from: number, to: number) =>
    process.put(uri.replace(one.url, process.url), video.subarray(from, to), from, video.length);
  const race = async (from: number, to: number) =>
    (await Promise.all([put(one, from, to), put(two, from, to), put(one, from, to)]))
      .map(({ status }) => status)
      .sort();

  expect(await race(0, GRANULE)).toEqual([308, 400, 400]);
  expect(await race(GRANULE, 2 * GRANULE)).toEqual([201, 400, 400]);
  await Promise.all([one.close(), two.close()]);

  const three = await start();
  const [entry, ...more] = await three.published();
  expect(more).toEqual([]);
  expect(entry?.text).toBe('durable \u0000 😀');
  expect(entry && (await isWholeUpload(three, entry, { bytes: video.length, sha256: sha256(video) }))).toBe(true);
  const found = await three.list('videos', token, { part: 'snippet', id: entry?.id ?? '' });
  expect(found.text).toContain('durable');
  expect((await three.ask(uri.replace(one.url, three.url), video.length)).json.id).toBe(entry?.id);
  await three.close();
  expect([...one.errors, ...two.errors, ...three.errors]).toEqual([]);
});
