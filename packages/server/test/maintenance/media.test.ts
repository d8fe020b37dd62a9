import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createFileLoop } from '../../src/maintenance/files.ts';
import { sweepOldVideos, sweepOrphans } from '../../src/maintenance/media.ts';
import { runSweep, SWEEPS } from '../../src/maintenance/sweeps.ts';
import type { Storage } from '../../src/storage/contract.ts';
import { createDiskStorage } from '../../src/storage/disk.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type AccountRow, addAccount, addMedia, addPost } from '../harness/rows.ts';

const DAY = 86_400_000;
let db: TestDatabase;
let folder = '';
let storage: Storage;
let userId: string;
let account: AccountRow;
const errors: unknown[] = [];
const needs = (over: { storage?: Storage; retentionDays?: number } = {}) => ({
  db,
  storage,
  retentionDays: 30,
  onError: (error: unknown) => errors.push(error),
  ...over,
});
beforeAll(async () => {
  db = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'reelay-upkeep-'));
  storage = await createDiskStorage(folder);
});
beforeEach(async () => {
  const [user] = await db.query<{ id: string }>(
    `insert into auth."user" (name, email) values ('U', uuid_v7()::text) returning id`,
  );
  userId = user?.id ?? '';
  account = await addAccount(db, userId);
});
afterAll(async () => {
  await db.drop();
  await rm(folder, { recursive: true });
});

const names = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
const stateOf = async (id: string) =>
  (await db.query<{ state: string }>('select state from media where id = $1', [id]))[0]?.state;
const removeFiles = async () => {
  while ((await createFileLoop(needs()).runOnce()) > 0);
};

/** A video with its files, and a post with it. */
async function stored(state: 'scheduled' | 'posted' = 'posted') {
  const media = await addMedia(db, userId);
  await storage.put(`videos/${media.id}`, Readable.from(['video']));
  await storage.put(`pictures/${media.thumbnail}`, Readable.from(['picture']));
  const post = await addPost(db, { userId, mediaId: media.id, accounts: [account], state });
  if (state === 'posted') await settle(post.id);
  return { ...media, post };
}
const settle = (postId: string) =>
  db.execute(`update target set state = 'posted', due_at = null, settled_at = app_now() where post_id = $1`, [postId]);

describe('a video', () => {
  test('is removed some days after its last target settled', async () => {
    const { id, thumbnail, post } = await stored();
    await db.clock.advance(30 * DAY - 60_000);
    await sweepOldVideos(needs());
    expect(await stateOf(id)).toBe('stored');
    await db.clock.advance(120_000);
    await sweepOldVideos(needs());
    expect(await stateOf(id)).toBe('gone');
    await removeFiles();
    expect(await names()).not.toContain(id);
    expect(await names()).toContain(thumbnail);
    expect(await db.query('select from post where id = $1', [post.id])).toHaveLength(1);
  });

  test('is kept for open targets and for newer posts', async () => {
    const open = await stored('scheduled');
    const shared = await stored();
    await db.clock.advance(20 * DAY);
    const younger = await addPost(db, { userId, mediaId: shared.id, accounts: [account], state: 'posted' });
    await settle(younger.id);
    await db.clock.advance(20 * DAY);
    await sweepOldVideos(needs());
    expect([await stateOf(open.id), await stateOf(shared.id)]).toEqual(['stored', 'stored']);
    await db.clock.advance(11 * DAY);
    await sweepOldVideos(needs());
    expect([await stateOf(open.id), await stateOf(shared.id)]).toEqual(['stored', 'gone']);
    await settle(open.post.id);
  });

  test('is removed at once with zero retention', async () => {
    const { id } = await stored();
    await sweepOldVideos(needs({ retentionDays: 0 }));
    expect(await stateOf(id)).toBe('gone');
  });

  test('is found once behind thousands that are in use', async () => {
    // Uploads that no post has used yet; the sweep of orphans removes them.
    await db.execute(
      `insert into media (id, user_id, storage_key, thumbnail, bytes, sha256, facts, state)
       select uuid_v7(), $1, 'many ' || n, 'many ' || n, 1, '\\x00', '{}', 'stored' from generate_series(1, 2100) n`,
      [userId],
    );
    await db.clock.advance(1_000);
    const { id } = await stored();
    await db.clock.advance(31 * DAY);
    let pages = 0;
    const counting = {
      ...db,
      query: (text: string, values?: unknown[]) => {
        pages++;
        return db.query(text, values);
      },
    } as TestDatabase;
    expect(await sweepOldVideos({ ...needs(), db: counting })).toBe(1);
    expect([await stateOf(id), pages]).toEqual(['gone', 3]);
    await db.execute(`delete from media where thumbnail like 'many %'`);
  });

  test('that a post starts to use during the sweep stays', async () => {
    const { id } = await stored();
    await db.clock.advance(31 * DAY);
    const writer = db.another(1);
    const { client, release } = await writer.connect();
    await client.query('begin');
    await client.query(`select from media where id = '${id}' for key share`);
    // The sweep skips the row that is about to be used.
    await sweepOldVideos(needs());
    await client.query('commit');
    release();
    expect(await stateOf(id)).toBe('stored');
    await sweepOldVideos(needs());
    expect(await stateOf(id)).toBe('gone');
  });

  test('a sweep removes more than one round of videos', async () => {
    await db.execute(
      `insert into media (id, user_id, storage_key, thumbnail, bytes, sha256, facts, state)
       select uuid_v7(), $1, 'videos/many-' || n, 'many-' || n, 1, '\\x00', '{}', 'stored' from generate_series(1, 450) n`,
      [userId],
    );
    expect(await sweepOrphans(needs())).toBeGreaterThanOrEqual(450);
    expect(await db.query(`select from media where storage_key like 'videos/many-%'`)).toEqual([]);
  });
});

describe('an orphan', () => {
  test('of a crashed upload is removed after a day', async () => {
    const media = await addMedia(db, userId);
    await storage.put(`videos/${media.id}`, Readable.from(['video']));
    await db.execute(`update media set state = 'storing' where id = $1`, [media.id]);
    await db.clock.advance(23 * 3_600_000);
    await sweepOrphans(needs());
    expect(await stateOf(media.id)).toBe('storing');
    await db.clock.advance(2 * 3_600_000);
    await sweepOrphans(needs());
    await removeFiles();
    expect(await stateOf(media.id)).toBeUndefined();
    expect(await names()).not.toContain(media.id);
  });

  test('without posts is removed with its thumbnail', async () => {
    const { id, thumbnail, post } = await stored();
    await db.execute('delete from post where id = $1', [post.id]);
    await sweepOrphans(needs());
    await removeFiles();
    expect(await stateOf(id)).toBeUndefined();
    expect(await names()).not.toContain(thumbnail);
  });

  test('in the scratch folder is removed after a day', async () => {
    const [old, young] = ['old', 'young'].map((name) => join(storage.scratch, name)) as [string, string];
    for (const path of [old, young]) await writeFile(path, 'x');
    const before = new Date(Date.now() - 25 * 3_600_000);
    await utimes(old, before, before);
    const sweep = SWEEPS.find(({ name }) => name === 'scratch files');
    if (!sweep) throw new Error('There is no such sweep.');
    const swept: [string, number][] = [];
    await runSweep({ ...needs(), onSwept: (name, count) => swept.push([name, count]) }, sweep);
    expect(swept).toEqual([['scratch files', 1]]);
    expect(await readdir(storage.scratch)).toEqual(['young']);
    await rm(young);
  });
});

describe('a file queued for removal', () => {
  const listed = (key: string) => db.query('select attempts from file_removal where storage_key = $1', [key]);

  test('that cannot be removed now is retried later', async () => {
    await db.execute(`insert into file_removal (storage_key) values ('videos/stubborn')`);
    const broken = { ...storage, remove: () => Promise.reject(new Error('The disk is away.')) };
    await createFileLoop(needs({ storage: broken })).runOnce();
    expect(errors.splice(0)).toHaveLength(1);
    expect(await createFileLoop(needs()).runOnce()).toBe(0);
    await db.clock.advance(10_000);
    await createFileLoop(needs()).runOnce();
    expect(await listed('videos/stubborn')).toEqual([]);
  });

  test('that does not exist counts as removed', async () => {
    await db.execute(`insert into file_removal (storage_key) values ('videos/never')`);
    await removeFiles();
    expect(await listed('videos/never')).toEqual([]);
    expect(errors).toEqual([]);
  });
});
