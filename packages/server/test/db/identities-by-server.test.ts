/**
 * Tests the migration that separates identities on user-named servers from the real ones, with rows as earlier versions
 * wrote them.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMigrations } from '../../src/db/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

const CHANNEL = '-1001234567890';
const DID = 'did:plc:abcdefghijklmnopqrstuvwx';
const FOREIGN = 'https://bots.tenant.example/api';
const PDS = 'https://pds.example';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

async function one(text: string, values: unknown[]): Promise<string> {
  const [row] = await db.query<{ id: string }>(text, values);
  return row?.id ?? '';
}

const newUser = () =>
  one(`insert into auth."user" (name, email) values ('U', $1) returning id`, [`${randomUUID()}@example.org`]);

async function newIdentity(platform: string, remoteId: string, userId: string): Promise<string> {
  const id = await one("insert into identity (platform, service, remote_id) values ($1, '', $2) returning id", [
    platform,
    remoteId,
  ]);
  await db.execute('insert into lane (identity_id, user_id, fence) values ($1, $2, 7)', [id, userId]);
  return id;
}

const newAccount = (platform: string, identity: string, user: string, service: string) =>
  one(
    `insert into account (user_id, identity_id, platform, service, username, display_name, status, sandbox, capabilities)
     values ($1, $2, $3, $4, 'u', 'U', 'CONNECTED', false, '{}') returning id`,
    [user, identity, platform, service],
  );

/** @param remoteId of a published post; null: it is scheduled */
async function newTarget(account: string, identity: string, user: string, remoteId: string | null): Promise<string> {
  const [id, post, media] = [randomUUID(), randomUUID(), randomUUID()];
  await db.execute(
    `insert into media (id, user_id, storage_key, thumbnail, bytes, sha256, facts, state)
     values ($1::uuid, $2, $1::uuid::text, $1::uuid::text, 1, '', '{}', 'stored')`,
    [media, user],
  );
  await db.execute(
    `insert into post (id, user_id, origin_id, media_id, description, preview_time_ms, scheduled, date)
     values ($1, $2, $1, $3, '', 0, false, app_now())`,
    [post, user, media],
  );
  await db.execute(
    `insert into target (id, post_id, user_id, account_id, identity_id, origin_id, position, state, due_at, counts_from, remote_id)
     values ($1, $2, $3, $4, $5, $2, 0, $6, case when $7::text is null then app_now() + interval '1 hour' end, app_now(), $7)`,
    [id, post, user, account, identity, remoteId ? 'posted' : 'scheduled', remoteId],
  );
  if (remoteId) await newPlacement(post, identity, id, remoteId);
  return id;
}

const newPlacement = (origin: string, identity: string, target: string, remoteId: string) =>
  db.execute(
    `insert into placement (origin_id, identity_id, target_id, remote_id, duration_ms, normal_text, published_at)
     values ($1, $2, $3, $4, 1, '', app_now())`,
    [origin, identity, target, remoteId],
  );

async function migrateAgain(): Promise<void> {
  const migration = readMigrations().find(({ name }) => name.endsWith('-identities-by-server.sql'));
  const { client, release } = await db.connect();
  try {
    await client.query('begin');
    await client.query(migration?.sql ?? '');
    await client.query('commit');
  } finally {
    release(true);
  }
}

test('accounts on servers of users leave the real identity', async () => {
  const [victim, attacker, follower] = [await newUser(), await newUser(), await newUser()];
  // The attacker connected first, so the lane belonged to them.
  const shared = await newIdentity('telegram', CHANNEL, attacker);
  const real = await newAccount('telegram', shared, victim, '');
  const direct = await newAccount('telegram', shared, follower, 'https://api.telegram.org');
  const forged = await newAccount('telegram', shared, attacker, FOREIGN);
  const did = await newIdentity('bluesky', DID, victim);
  const bluesky = await newAccount('bluesky', did, victim, PDS);

  const posted = await newTarget(real, shared, victim, '101');
  const waiting = await newTarget(real, shared, victim, null);
  const claimed = await newTarget(forged, shared, attacker, '102');
  const inHand = await newTarget(forged, shared, attacker, null);
  await db.execute(
    `update lane set lease_until = app_now() + interval '5 seconds', in_hand = $2, next_due_at = app_now() where identity_id = $1`,
    [shared, inHand],
  );
  // Its post has been deleted since.
  const forgotten = randomUUID();
  await newPlacement(randomUUID(), shared, forgotten, '103');
  for (const key of [`telegram ${shared} posts`, `bluesky ${did} writes`])
    await db.execute("insert into budget (key, closed_until) values ($1, app_now() + interval '1 day')", [key]);
  await db.execute('insert into budget_use (key) values ($1)', [`bluesky ${did} writes`]);

  await migrateAgain();

  const accounts = await db.query<{ id: string; identity: string; service: string }>(
    'select a.id, i.id as identity, i.service from account a join identity i on i.id = a.identity_id',
  );
  const of = (id: string) => accounts.find((each) => each.id === id);
  expect([of(real)?.identity, of(direct)?.identity, of(bluesky)?.identity]).toEqual([shared, shared, did]);
  expect(of(forged)?.service).toBe('https://bots.tenant.example');
  const separate = of(forged)?.identity ?? '';

  const targets = Object.fromEntries(
    (await db.query<{ id: string; at: string }>('select id, identity_id as at from target')).map((row) => [
      row.id,
      row.at,
    ]),
  );
  expect(targets).toEqual({ [posted]: shared, [waiting]: shared, [claimed]: separate, [inHand]: separate });
  const placements = await db.query<{ remote: string; at: string }>(
    'select remote_id as remote, identity_id as at from placement order by remote_id',
  );
  expect(placements).toEqual([
    { remote: '101', at: shared },
    { remote: '102', at: separate },
    { remote: '103', at: separate },
  ]);

  const lanes = await db.query<Record<string, unknown>>(
    `select l.identity_id as at, l.user_id as "user", l.in_hand as "inHand", l.fence, l.lease_until is not null as leased,
       l.next_due_at = (select due_at from target t where t.identity_id = l.identity_id and t.due_at is not null) as due
     from lane l where l.identity_id = any($1::uuid[])`,
    [[shared, separate]],
  );
  const both = [
    { at: shared, inHand: null },
    { at: separate, user: attacker, inHand },
  ];
  for (const lane of both) expect(lanes).toContainEqual(expect.objectContaining({ ...lane, leased: true, due: true }));
  expect(lanes.find(({ at }) => at === shared)?.user).not.toBe(attacker);

  const budgets = await db.query<{ key: string; closed: boolean }>(
    'select key, closed_until is not null as closed from budget',
  );
  expect(budgets).toContainEqual({ key: `telegram ${shared} posts`, closed: false });
  expect(budgets).toContainEqual({ key: `bluesky ${bluesky} writes`, closed: true });
  expect(await db.query('select key from budget_use where key = $1', [`bluesky ${bluesky} writes`])).toHaveLength(1);
});

test('running it on correct rows changes nothing', async () => {
  const state = () =>
    db.query(
      `select (select json_agg(i order by id) from identity i) as identities, (select json_agg(l order by identity_id) from lane l) as lanes,
        (select json_agg(p order by id) from placement p) as placements`,
    );
  const before = await state();
  await migrateAgain();
  expect(await state()).toEqual(before);
});
