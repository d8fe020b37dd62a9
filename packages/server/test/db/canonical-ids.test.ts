/** Tests the migration that gives the ids of published posts the form in which lists name them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMigrations } from '../../src/db/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { addAccount, addMedia, addPost } from '../harness/rows.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

async function migrateAgain(): Promise<void> {
  const migration = readMigrations().find(({ name }) => name.endsWith('-canonical-ids.sql'));
  await db.execute(migration?.sql.split(';\n')[0] ?? '');
  await db.execute(migration?.sql.split(';\n')[1] ?? '');
}

test('stored ids lose their prefix unless this causes duplicates', async () => {
  const [user] = await db.query<{ id: string }>(
    `insert into auth."user" (name, email) values ('U', 'u@example.com') returning id`,
  );
  const userId = user?.id ?? '';
  const account = await addAccount(db, userId, { platform: 'linkedin' });
  const { id: mediaId } = await addMedia(db, userId);
  const { targets } = await addPost(db, { userId, mediaId, accounts: [account], state: 'posted' });
  await db.execute('update target set remote_id = $2 where id = $1', [targets[0], 'urn:li:ugcPost:7300001']);
  const place = (target: string | null, remoteId: string) =>
    db.execute(
      `insert into placement (origin_id, identity_id, target_id, remote_id, duration_ms, normal_text, published_at)
       values (uuid_v7(), $1, $2, $3, 1, '', app_now())`,
      [account.identityId, target, remoteId],
    );
  await place(targets[0] ?? null, 'urn:li:ugcPost:7300001');
  await place(null, 'urn:li:share:7300002');
  await place(null, '7300002');
  await place(null, 'at://did:plc:a/app.bsky.feed.post/7300003');
  await migrateAgain();
  const rows = await db.query<{ remote_id: string }>('select remote_id from placement order by remote_id');
  expect(rows.map((row) => row.remote_id).sort()).toEqual([
    '7300001',
    '7300002',
    'at://did:plc:a/app.bsky.feed.post/7300003',
    'urn:li:share:7300002',
  ]);
  expect(await db.query('select remote_id from target')).toEqual([{ remote_id: '7300001' }]);
});
