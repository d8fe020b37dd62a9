import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { createSweepLoop, runSweep, SWEEPS } from '../../src/maintenance/sweeps.ts';
import type { Storage } from '../../src/storage/contract.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

const HOUR = 3_600_000;
let db: TestDatabase;
let userId: string;
const storage = { sweep: async () => 0 } as Partial<Storage> as Storage;
const errors: unknown[] = [];
const needs = () => ({ db, storage, retentionDays: 30, onError: (error: unknown) => errors.push(error) });
beforeAll(async () => {
  db = await createTestDatabase();
  const [user] = await db.query<{ id: string }>(
    `insert into auth."user" (name, email) values ('U', 'u@example.org') returning id`,
  );
  userId = user?.id ?? '';
});
afterAll(async () => {
  expect(errors).toEqual([]);
  await db.drop();
});

const sweepAll = async () => {
  for (const sweep of SWEEPS) await runSweep(needs(), sweep);
};

/** New rows are kept for this many hours, and deleted soon afterwards. */
test.each([
  ['idempotency', 24, `insert into idempotency (user_id, key, owner, answer) values ($1, 'k', uuid_v7(), '{}')`],
  ['cancelled', 24, 'insert into cancelled (post_id, user_id) values (uuid_v7(), $1)'],
  ['alive_minute', 8 * 24, `insert into alive_minute select app_now() where $1 <> ''`],
  [
    'worker',
    8 * 24,
    `insert into worker (id, boot_id, pid_namespace, pid, process_start) select uuid_v7(), '', '', 1, '' where $1 <> ''`,
  ],
  ['budget_use', 8 * 24, `with b as (insert into budget (key) values ($1) returning key) select key from b`],
  [
    'firing',
    90 * 24,
    `with i as (insert into identity (platform, service, remote_id) values ('x', '', '1') returning id),
       a as (insert into account (user_id, identity_id, platform, username, display_name, status, sandbox, capabilities)
         select $1::uuid, id, 'x', '', '', 'CONNECTED', true, '{}' from i returning id),
       r as (insert into rule (id, user_id, from_account) select uuid_v7(), $1::uuid, id from a returning id)
     insert into firing (rule_id, user_id, origin_id, target_id, state, decided_at, due_at)
       select id, $1::uuid, id, id, 'skipped', app_now(), null from r`,
  ],
  [
    'watched_post',
    90 * 24,
    `with i as (insert into identity (platform, service, remote_id) values ('x', '', '2') returning id)
     insert into watched_post (identity_id, remote_id, published_at, text, is_public, state, origin_id, due_at)
       select id, '9', app_now(), '', true, 'foreign', id, null from i where $1 <> ''`,
  ],
  [
    'consent',
    30 * 24,
    `insert into consent (ticket_hash, user_id, platform, sandbox, choices, input, expires_at)
     values ('x', $1, 'x', true, '{}', '{}', app_now())`,
  ],
] as const)('rows of %s are kept for %i hours', async (table, hours, insert) => {
  await db.query(insert.replaceAll('$1 <>', '$1::text <>'), [userId]);
  if (table === 'budget_use') await db.execute('insert into budget_use (key) values ($1)', [userId]);
  const count = async () => (await db.query(`select from ${table}`)).length;
  expect(await count()).toBe(1);
  await db.clock.advance((hours - 1) * HOUR);
  await sweepAll();
  expect(await count()).toBe(1);
  await db.clock.advance(2 * HOUR);
  await sweepAll();
  expect(await count()).toBe(0);
});

test('the key of a running request is never swept', async () => {
  await db.execute(
    `insert into idempotency (user_id, key, owner, created_at, lease_until)
     values ($1, 'running', uuid_v7(), app_now() - interval '2 days', app_now() + interval '10 s')`,
    [userId],
  );
  await sweepAll();
  expect(await db.query('select from idempotency')).toHaveLength(1);
  await db.clock.advance(11_000);
  await sweepAll();
  expect(await db.query('select from idempotency')).toEqual([]);
});

test('a sweep deletes at most a thousand rows per statement', async () => {
  const rows = 2_500;
  for (const insert of [
    `insert into idempotency (user_id, key, owner, answer) select $1, n::text, uuid_v7(), '{}' from n`,
    'insert into cancelled (post_id, user_id) select uuid_v7(), $1 from n',
    `insert into consent (ticket_hash, user_id, platform, sandbox, choices, input, expires_at)
       select n::text::bytea, $1, 'x', true, '{}', '{}', app_now() from n`,
    `insert into security_mail (user_id, name, params) select $1, 'x', '{}' from n`,
  ])
    await db.execute(`with n as (select n from generate_series(1, ${rows}) n) ${insert}`, [userId]);
  await db.clock.advance(91 * 24 * HOUR);
  const deleted: number[] = [];
  const counting: Database = {
    ...db,
    within: () => counting,
    async execute(text, values) {
      const count = await db.execute(text, values);
      if (text.startsWith('delete')) deleted.push(count);
      return count;
    },
  };
  for (const sweep of SWEEPS) await runSweep({ ...needs(), db: counting }, sweep);
  expect(deleted.filter((count) => count >= rows % 1_000)).toEqual(Array(4).fill([1_000, 1_000, 500]).flat());
});

test('registrations are kept while their server is used', async () => {
  const server = (name: string) => `https://${name}.example`;
  await db.execute(
    `insert into platform_app (platform, service, sealed)
     select 'x', 'https://' || name || '.example', '' from unnest(array['connected', 'revoking', 'left', 'named']) name
     union values ('', 'client-key', ''::bytea), ('', 'operator x', ''), ('x', 'sandbox:http://localhost', '')`,
  );
  await db.execute(
    `insert into access_grant (user_id, platform, service, kind, sandbox, sealed, scopes)
     values ($1, 'x', $2, 'oauth', false, '', '{}')`,
    [userId, server('revoking')],
  );
  for (const [name, status] of [
    ['connected', 'EXPIRED'],
    ['left', 'DISCONNECTED'],
  ])
    await db.execute(
      `with i as (insert into identity (platform, service, remote_id) values ('x', $2, '7') returning id)
       insert into account (user_id, identity_id, platform, service, username, display_name, status, sandbox, capabilities)
         select $1::uuid, id, 'x', $2, '', '', $3, false, '{}' from i`,
      [userId, server(name ?? ''), status],
    );
  const kept = async () =>
    (await db.query<{ service: string }>('select service from platform_app order by 1')).map(({ service }) => service);
  await sweepAll();
  expect(await kept()).toHaveLength(7);
  await db.clock.advance(25 * HOUR);
  await sweepAll();
  expect(await kept()).toEqual([
    'client-key',
    server('connected'),
    server('revoking'),
    'operator x',
    'sandbox:http://localhost',
  ]);
});

test('a user keeps the newest 100 disconnected accounts', async () => {
  const user = (
    await db.query<{ id: string }>(`insert into auth."user" (name, email) values ('V', 'v@example.org') returning id`)
  )[0]?.id;
  await db.execute(
    `with i as (insert into identity (platform, service, remote_id)
         select 'x', 'https://many.example', n::text from generate_series(1, 105) n returning id, remote_id),
       l as (insert into lane (identity_id, user_id) select id, $1::uuid from i),
       g as (insert into access_grant (user_id, platform, service, kind, sandbox, sealed, scopes)
         values ($1, 'x', '', 'oauth', false, '', '{}') returning id)
     insert into account (user_id, identity_id, grant_id, platform, username, display_name, status, sandbox, capabilities,
         disconnected_at)
       select $1::uuid, i.id, case when remote_id = '2' then g.id end, 'x', remote_id, '',
         case when remote_id = '1' then 'CONNECTED' else 'DISCONNECTED' end, false, '{}',
         app_now() + remote_id::integer * interval '1 s' from i, g`,
    [user],
  );
  // Account 3 has a post in the history, and what account 4 had is in the ledger.
  await db.execute(
    `with a as (select id, identity_id from account where user_id = $1 and username = '3'),
       m as (insert into media (id, user_id, storage_key, thumbnail, bytes, sha256, facts, state)
         values (uuid_v7(), $1, 'k', 't', 1, '', '{}', 'gone') returning id),
       p as (insert into post (id, user_id, origin_id, media_id, description, preview_time_ms, scheduled, date)
         select uuid_v7(), $1, uuid_v7(), id, '', 0, false, app_now() from m returning id, origin_id)
     insert into target (id, post_id, user_id, account_id, identity_id, origin_id, position, state, settled_at, counts_from)
       select uuid_v7(), p.id, $1, a.id, a.identity_id, p.origin_id, 0, 'posted', app_now(), app_now() from p, a`,
    [user],
  );
  await db.execute(
    `insert into placement (origin_id, identity_id, remote_id, duration_ms, is_measured, normal_text, content_key,
         published_at)
       select uuid_v7(), identity_id, '9', 1, true, '', null, app_now() from account where user_id = $1 and username = '4'`,
    [user],
  );
  const names = async (table: string) =>
    (await db.query<{ name: string }>(table, table.includes('$1') ? [user] : [])).map(({ name }) => Number(name));
  await sweepAll();
  const kept = await names('select username as name from account where user_id = $1 order by username::integer');
  // 104 are disconnected: 4 too many, of which two cannot be removed.
  expect(kept).toEqual([1, 2, 3, ...Array.from({ length: 100 }, (_, index) => index + 6)]);
  const identities = `select remote_id as name from identity where service = 'https://many.example'`;
  expect(await names(`${identities} and remote_id::integer < 7 order by 1`)).toEqual([1, 2, 3, 4, 6]);
  expect(await db.query('select from lane where user_id = $1', [user])).toHaveLength(104);
});

test('sweeps run at their own intervals, one at a time', async () => {
  let now = 0;
  const loop = createSweepLoop(needs(), () => now);
  const turns = async () => {
    let count = 0;
    while ((await loop.runOnce()) > 0) count++;
    return count;
  };
  expect(await turns()).toBe(0);
  now += 2 * 60_000;
  expect(await turns()).toBe(SWEEPS.length);
  expect(await turns()).toBe(0);
  now += 15 * 60_000;
  expect(await turns()).toBe(SWEEPS.filter(({ everyMs }) => everyMs <= 15 * 60_000).length);
  now += HOUR;
  expect(await turns()).toBe(SWEEPS.length);
});
