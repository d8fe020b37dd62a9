import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { blobsSuite } from '../../../sandbox/test/suites/blobs.ts';
import { publishedSuite } from '../../../sandbox/test/suites/published.ts';
import { storeSuite } from '../../../sandbox/test/suites/store.ts';
import { publishedIn } from '../../src/sandbox/postgres-published.ts';
import { postgresStore } from '../../src/sandbox/postgres-store.ts';
import { createTestDatabase } from '../harness/database.ts';
import { diskBlobs } from '../harness/disk-blobs.ts';

publishedSuite('in the database', async (entries) => {
  const db = await createTestDatabase();
  onTestFinished(() => db.drop());
  for (const { platform, ...one } of entries) await postgresStore(db, platform).publish(one);
  return publishedIn(db);
});

storeSuite('store in PostgreSQL', async () => {
  const db = await createTestDatabase();
  return { open: (platform) => postgresStore(db, platform), close: () => db.drop() };
});

blobsSuite('blobs on disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reelay-blobs-'));
  return { blobs: await diskBlobs(folder), close: () => rm(folder, { recursive: true }) };
});

test('blobs survive a restart; an aborted upload leaves none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reelay-blobs-'));
  const before = await diskBlobs(folder);
  await before.put('key', Readable.from(['kept'], { objectMode: false }));
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('half');
      throw new Error('broken off');
    })(),
  );
  await expect(before.put('other', broken)).rejects.toThrow();
  const after = await diskBlobs(folder);
  expect(await (await after.get('key')).toArray()).toEqual([Buffer.from('kept')]);
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) => each.isFile());
  expect(files).toHaveLength(1);
  await rm(folder, { recursive: true });
});
