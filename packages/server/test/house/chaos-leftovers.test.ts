import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readCases } from '../../../../chaos/cases.ts';
import { strayFiles } from '../../../../chaos/leftovers.ts';
import { runMaintenance } from '../../../../chaos/maintenance.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { announceMedia, placesOf } from '../../src/media/media-store.ts';
import type { Storage } from '../../src/storage/contract.ts';
import { createDiskStorage } from '../../src/storage/disk.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { addAccount, addMedia, addPost } from '../harness/rows.ts';

let db: TestDatabase;
let folder = '';
let storage: Storage;
let userId = '';
beforeAll(async () => {
  db = await createTestDatabase();
  const [user] = await db.query<{ id: string }>(
    `insert into auth."user" (name, email) values ('U', 'u@example.org') returning id`,
  );
  userId = user?.id ?? '';
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelay-leftovers-'));
  storage = await createDiskStorage(folder);
});
afterEach(async () => {
  await db.execute('delete from post');
  await db.execute('delete from media');
  await rm(folder, { recursive: true });
});
afterAll(() => db.drop());

const put = (key: string) => storage.put(key, Readable.from(['bytes']));
const strays = async () => {
  const { errors } = await runMaintenance({ db, skip: db.clock.advance }, { storageFolder: folder, retentionDays: 30 });
  expect(errors).toEqual([]);
  return strayFiles(db, folder);
};

test('a finding lists the timeline and the posts shown', async () => {
  const media = await addMedia(db, userId);
  const account = await addAccount(db, userId, { platform: 'tiktok', username: 'nora' });
  const { targets } = await addPost(db, { userId, mediaId: media.id, accounts: [account] });
  await db.execute(`update target set checkpoint = 'sealed'`);
  await db.execute(`insert into timeline (target_id, event, text) select id, 'created', 'Created.' from target`);
  const entry = { id: 'v1', username: '@Nora', text: 'First light', url: '', publishedAt: 0, bytes: 1, sha256: '' };
  const shown = { ...entry, blobs: [], mime: 'video/mp4' };
  const platform = { name: 'tiktok', published: async () => [shown, shown, { ...shown, text: 'Second' }] };
  const post = { platform: 'tiktok', username: 'nora', text: 'First light' };
  const [found] = await readCases(db, [platform], [{ problem: 'twice', targetIds: targets, posts: [post, post] }]);
  expect(found).toMatchObject({
    problem: 'twice',
    targets: [{ id: targets[0], state: 'scheduled', timeline: [{ event: 'created' }] }],
    shown: [shown, shown],
  });
  expect(found?.shown).toHaveLength(2);
  expect(JSON.stringify(found)).not.toContain('checkpoint');
});

describe('stray files after a chaos run', () => {
  test('do not include files of an interrupted upload', async () => {
    const id = uuidv7();
    const facts = { bytes: 5, durationMs: 5_000, mime: 'video/mp4' } as Parameters<typeof announceMedia>[1]['facts'];
    await announceMedia(db, { id, userId, sha256: '00', facts });
    const { video, picture } = placesOf(id);
    await put(video);
    await put(picture);
    expect(await strays()).toEqual([]);
    expect(await storage.size(video)).toBeNull();
  });

  test('include a file without a row', async () => {
    await put('videos/forgotten');
    await put('pictures/forgotten.jpg');
    expect((await strays()).sort()).toEqual([
      'No row refers to the file pictures/forgotten.jpg.',
      'No row refers to the file videos/forgotten.',
    ]);
  });

  test('include a row without its file', async () => {
    const media = await addMedia(db, userId);
    await put(`pictures/${media.thumbnail}`);
    await addPost(db, { userId, mediaId: media.id, accounts: [await addAccount(db, userId)] });
    expect(await strays()).toEqual([`The file videos/${media.id} is gone.`]);
    await put(`videos/${media.id}`);
    expect(await strays()).toEqual([]);
  });
});
