import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { APP, sha256, startTikTok } from '../../../sandbox/test/platforms/tiktok-calls.ts';
import { postgresStore } from '../../src/sandbox/postgres-store.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { diskBlobs } from '../harness/disk-blobs.ts';
import { isWholeUpload } from '../harness/simulator.ts';

const MIB = 1024 * 1024;

let db: TestDatabase;
let folder: string;
beforeAll(async () => {
  db = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'reelay-tiktok-'));
});
afterAll(async () => {
  await db.drop();
  await rm(folder, { recursive: true });
});

/** Starts a simulator that shares only the database and the folder, like another process. */
async function start() {
  return startTikTok({ store: postgresStore(db.another(), 'tiktok'), blobs: await diskBlobs(folder) });
}

test('two processes share state, which survives a restart', async () => {
  const [one, two] = await Promise.all([start(), start()]);
  const video = randomBytes(11 * MIB);
  const plan = { video_size: video.length, chunk_size: 5 * MIB, total_chunk_count: 2 };
  const token = await one.token();
  const begun = (await one.init(token, { title: 'durable \u0000 😀' }, plan)).json.data;
  const at = (process: { url: string }) => begun.upload_url.replace(one.url, process.url);
  const put = (process: typeof one, from: number, to: number) =>
    process.put(at(process), video.subarray(from, to), from, video.length);
  const race = async (from: number, to: number) =>
    (await Promise.all([put(one, from, to), put(two, from, to), put(one, from, to)]))
      .map(({ status }) => status)
      .sort();

  expect(await race(0, 5 * MIB)).toEqual([206, 416, 416]);
  expect(await race(5 * MIB, video.length)).toEqual([201, 416, 416]);
  await Promise.all([one.close(), two.close()]);

  const three = await start();
  const [entry, ...more] = await three.published();
  expect(more).toEqual([]);
  expect(entry?.text).toBe('durable \u0000 😀');
  expect(entry && (await isWholeUpload(three, entry, { bytes: video.length, sha256: sha256(video) }))).toBe(true);
  expect((await three.status(token, begun.publish_id)).text).toContain(`[${entry?.id}]`);
  await three.close();
  expect([...one.errors, ...two.errors, ...three.errors]).toEqual([]);
});

test('one of many concurrent refreshes succeeds', async () => {
  const [one, two] = await Promise.all([start(), start()]);
  const { tokenAnswer } = await one.simulator.enrol('ida');
  const form = { ...APP, grant_type: 'refresh_token', refresh_token: String(tokenAnswer?.refresh_token) };
  const processes = [one, two, one, two, one, two];
  const responses = await Promise.all(processes.map((each) => each.call('POST', '/v2/oauth/token/', { form })));
  expect(responses.filter(({ flat }) => flat.access_token)).toHaveLength(1);
  expect(responses.filter(({ flat }) => flat.error === 'invalid_grant')).toHaveLength(5);
  await Promise.all([one.close(), two.close()]);
});
