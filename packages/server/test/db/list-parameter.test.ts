/** Statements with lists that run for each post are planned once for a connection, not at each call. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadAccounts } from '../../src/accounts/account-store.ts';
import { readGrants } from '../../src/accounts/tokens/token-store.ts';
import type { Transaction } from '../../src/db/database.ts';
import { createSealer } from '../../src/lib/encryption/seal.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { findCandidates } from '../../src/lineage/copies.ts';
import { addFirings, addFiringsOfWatched } from '../../src/lineage/firings.ts';
import { loadTasks } from '../../src/publishing/task-store.ts';
import { lockLanes } from '../../src/queue/lane-locks.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type AccountRow, addAccount, addMedia, addPost } from '../harness/rows.ts';

let db: TestDatabase;
let account: AccountRow;
let target: string;
let found: string;
beforeAll(async () => {
  db = await createTestDatabase();
  const userId = uuidv7();
  await db.execute(`insert into auth."user" (id, name, email) values ($1, 'Nora', 'nora@example.org')`, [userId]);
  account = await addAccount(db, userId);
  const to = await addAccount(db, userId);
  const { id: mediaId } = await addMedia(db, userId);
  target = (await addPost(db, { userId, mediaId, accounts: [account] })).targets[0] ?? '';
  const [rule] = await db.query<{ id: string }>(
    `insert into rule (id, user_id, from_account) values (uuid_v7(), $1, $2) returning id`,
    [userId, account.id],
  );
  await db.execute('insert into rule_destination (rule_id, account_id, position) values ($1, $2, 0)', [
    rule?.id,
    to.id,
  ]);
  const [row] = await db.query<{ id: string }>(
    `insert into watched_post (identity_id, remote_id, origin_id, published_at, text, is_public, state, due_at)
     values ($1, '1', uuid_v7(), app_now(), 'Sunset run', true, 'foreign', null) returning id`,
    [account.identityId],
  );
  found = row?.id ?? '';
  await addMany(userId, mediaId);
  await db.execute('analyze');
});
afterAll(() => db.drop());

/** In small tables, one id costs as much as several, and all plans are used again. */
async function addMany(userId: string, mediaId: string): Promise<void> {
  const rows = 'generate_series(1, 3000) n';
  await db.execute(`insert into identity (id, platform, service, remote_id)
    select uuid_v7(), 'tiktok', '', 'many ' || n from ${rows}`);
  await db.execute(
    `insert into access_grant (id, user_id, platform, service, kind, sandbox, sealed, scopes)
     select uuid_v7(), $1, 'tiktok', '', 'oauth', true, '', '{}' from ${rows}`,
    [userId],
  );
  await db.execute(`insert into lane (identity_id, user_id) select id, $1 from identity on conflict do nothing`, [
    userId,
  ]);
  await db.execute(
    `insert into account (id, user_id, identity_id, platform, username, display_name, status, sandbox, capabilities)
     select uuid_v7(), $1, id, 'tiktok', 'u', 'U', 'CONNECTED', true, '{}' from identity where remote_id like 'many %'`,
    [userId],
  );
  await db.execute(
    `insert into target (id, post_id, user_id, account_id, identity_id, origin_id, position, state, due_at, counts_from)
     select uuid_v7(), p.id, $1, a.id, a.identity_id, uuid_v7(), 1, 'scheduled', app_now() + interval '1 day', app_now()
     from account a, post p where a.username = 'u' and p.media_id = $2`,
    [userId, mediaId],
  );
  await db.execute(
    `insert into rule (id, user_id, from_account) select uuid_v7(), $1, id from account where username = 'u'`,
    [userId],
  );
  await db.execute(`insert into rule_interval (rule_id, active_from) select id, app_now() from rule`);
}

const lane = () => ({
  ...{ identityId: account.identityId, userId: '', ownServer: false, fence: 1, crashedWith: null },
  inHand: target,
});
const item = () => ({
  ...{ originId: uuidv7(), text: 'Sunset run on the beach', durationMs: 5_000, isMeasured: true },
  ...{ at: Date.now(), isOld: false },
});

test.each<[string, string, (tx: Transaction) => Promise<unknown>]>([
  ['accounts', 'from account a join identity', (tx) => loadAccounts(tx, [account.id])],
  ['access', 'from access_grant', (tx) => readGrants(tx, [uuidv7()])],
  ['tasks', 'join post p on p.id = t.post_id', (tx) => loadTasks(tx, createSealer([Buffer.alloc(32)]), [lane()])],
  ['copies', 'with mine as materialized', (tx) => findCandidates(tx, item(), [account.identityId])],
  ['rules of a post', 'insert into firing', (tx) => addFirings(tx, target)],
  ['rules of a found post', 'insert into firing', (tx) => addFiringsOfWatched(tx, found, null)],
  ['lanes', 'from lane where identity_id = any', (tx) => lockLanes(tx, [account.identityId])],
])('a plan for %s is used again', async (_, part, run) => {
  const plans = await db.transaction(async (tx) => {
    for (let call = 0; call < 9; call++) await run(tx);
    return tx.query<{ statement: string; reused: number; custom: number }>(
      `select statement, generic_plans::integer as reused, custom_plans::integer as custom from pg_prepared_statements
       where position($1 in statement) > 0`,
      [part],
    );
  });
  const [plan] = plans.filter(({ reused, custom }) => reused + custom >= 9);
  expect(plan).toMatchObject({ custom: 5 });
  expect(plan?.reused).toBeGreaterThanOrEqual(4);
});
