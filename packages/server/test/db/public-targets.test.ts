/** Tests the migration that says which posts were public when they were sent. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/connectors/contract.ts';
import { readMigrations } from '../../src/db/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { addAccount, addMedia, addPost } from '../harness/rows.ts';

let db: TestDatabase;
let userId: string;
let mediaId: string;
beforeAll(async () => {
  db = await createTestDatabase();
  const [user] = await db.query<{ id: string }>(
    `insert into auth."user" (name, email) values ('U', 'u@example.com') returning id`,
  );
  userId = user?.id ?? '';
  mediaId = (await addMedia(db, userId)).id;
});
afterAll(() => db.drop());

/** Runs the updates of the migration again. */
async function migrateAgain(): Promise<void> {
  const migration = readMigrations().find(({ name }) => name.endsWith('-public-targets.sql'));
  const statements = (migration?.sql ?? '').replaceAll(/^--.*\n/gm, '').split(';\n');
  for (const sql of statements.filter((each) => each.startsWith('update'))) await db.execute(sql);
}

interface Given {
  platform?: string;
  username?: string;
  options?: JsonObject;
  choices?: JsonObject;
  extra?: JsonObject;
  sent?: boolean;
}

async function add({ options = {}, choices = {}, extra = {}, sent = true, ...given }: Given) {
  const account = await addAccount(db, userId, given);
  await db.execute('update account set choices = $2, extra = $3 where id = $1', [
    account.id,
    JSON.stringify(choices),
    JSON.stringify(extra),
  ]);
  const { targets } = await addPost(db, { userId, mediaId, accounts: [account] });
  await db.execute(
    'update target set options = $2, committed_at = case when $3 then app_now() end, is_public = null where id = $1',
    [targets[0], JSON.stringify(options), sent],
  );
  return { accountId: account.id, targetId: targets[0] };
}

test.each<[string, Given, boolean | null]>([
  ['names no audience', {}, true],
  ['was never sent', { sent: false }, null],
  ['is for everybody', { options: { privacy: 'PUBLIC_TO_EVERYONE' }, choices: { privacy: 'SELF_ONLY' } }, true],
  ['is for oneself', { options: { privacy: 'SELF_ONLY' }, choices: { privacy: 'PUBLIC_TO_EVERYONE' } }, false],
  ['is public by setting', { choices: { privacy: 'public' } }, true],
  ['is unlisted on a video platform', { choices: { privacy: 'unlisted' } }, false],
  ['is unlisted by default', { extra: { privacy: 'unlisted' } }, true],
  ['is for followers by default', { extra: { privacy: 'private' } }, false],
  ['is for connections', { options: { visibility: 'CONNECTIONS' } }, false],
  ['is for all members of a network', { options: { visibility: 'PUBLIC' } }, true],
  ['is on a public board', { choices: { board: 'PUBLIC' }, extra: { boards: { PUBLIC: '1' } } }, true],
  ['is on the public board by id', { options: { board: '1' }, extra: { boards: { PUBLIC: '1' } } }, true],
  ['is on an unknown board', { options: { board: '2' }, extra: { boards: { PUBLIC: '1' } } }, false],
  ['is on a secret board', { choices: { board: 'SECRET' } }, false],
  ['is a trial reel', { options: { trial: 'manual' } }, false],
  ['is of a protected account', { extra: { protected: true } }, false],
  ['is of an open account', { extra: { protected: false } }, true],
  ['is in a channel with a name', { platform: 'telegram', username: '@nora' }, true],
  ['is in a channel without a name', { platform: 'telegram', username: 'Nora clips' }, false],
])('a post that %s', async (_, given, isPublic) => {
  const { targetId } = await add(given);
  await migrateAgain();
  expect(await db.query('select is_public from target where id = $1', [targetId])).toEqual([{ is_public: isPublic }]);
});

test.each([
  ['@nora_clips', { reader: '1', publicName: 'nora_clips' }],
  ['Nora clips', { reader: '1' }],
  ['@ Nora', { reader: '1' }],
])('a channel named %s', async (username, extra) => {
  const { accountId } = await add({ platform: 'telegram', username, extra: { reader: '1' } });
  await migrateAgain();
  expect(await db.query('select extra from account where id = $1', [accountId])).toEqual([{ extra }]);
});
