import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { loadPlans } from '../../src/config/plans.ts';
import { createFileLoop } from '../../src/maintenance/files.ts';
import { addRule } from '../../src/reposts/service.ts';
import { pictureKey } from '../../src/storage/pictures.ts';
import { deleteUser } from '../../src/users/service.ts';
import { makePost, makeRule } from './posts.ts';
import { type AccountWorld, createAccountWorld } from './world.ts';

let world: AccountWorld;
let userId: string;
let count = 0;
beforeAll(async () => {
  world = await createAccountWorld();
});
afterEach(() => {
  world.simulator.faults.clear();
  world.toy.settings.pages = [];
  world.toy.settings.person = null;
  expect(world.simulator.errors).toEqual([]);
});
afterAll(() => world.close());

const connect = () => world.connect(userId, `user-${++count}`);
const disconnect = (accountId: string, accounts = world.accounts) =>
  accounts.disconnect({ userId, accountId, actor: 'session' });
const target = async (id: string | undefined) => (await world.db.query('select * from target where id = $1', [id]))[0];
const exists = async (table: string, id: string) =>
  (await world.db.query(`select 1 from ${table} where id = $1`, [id])).length > 0;
/** Runs the loop until nothing is due. */
const runGrants = async () => {
  while ((await world.accounts.loops.grants.runOnce()) > 0);
};

beforeAll(async () => {
  userId = await world.newUser();
});

test('scheduled targets fail with the reason, started ones continue', async () => {
  const id = await connect();
  const queued = await makePost(world.db, userId, [id]);
  const begun = await makePost(world.db, userId, [id], { state: 'waiting' });
  await disconnect(id);
  expect(await target(queued.targetIds[0])).toMatchObject({
    state: 'failed',
    code: 'reconnect_required',
    due_at: null,
    version: 1,
  });
  expect((await target(queued.targetIds[0]))?.settled_at).not.toBeNull();
  const timeline = await world.db.query('select event, code from timeline where target_id = $1', [queued.targetIds[0]]);
  expect(timeline).toEqual([{ event: 'failed', code: 'account_disconnected_before' }]);
  expect(await target(begun.targetIds[0])).toMatchObject({ state: 'waiting', code: null });
  expect(await world.account(id)).toMatchObject({ status: 'DISCONNECTED' });
  expect(await world.accounts.list(userId)).toEqual([]);
  const audit = await world.db.query("select actor from audit where subject = $1 and action = 'account.disconnect'", [
    id,
  ]);
  expect(audit).toEqual([{ actor: 'session' }]);
});

test('the picture of a disconnected account is removed', async () => {
  const [id, other] = [await connect(), await connect()];
  const pictureOf = async (accountId: string) => String((await world.account(accountId)).avatar);
  const [picture, kept] = [await pictureOf(id), await pictureOf(other)];
  expect(await world.storage.size(pictureKey(picture))).toBeGreaterThan(0);
  await disconnect(id);
  expect((await world.account(id)).avatar).toBeNull();
  const files = createFileLoop({
    db: world.db,
    storage: world.storage,
    retentionDays: 30,
    onError: expect.unreachable,
  });
  while ((await files.runOnce()) > 0);
  expect(await world.storage.size(pictureKey(picture))).toBeNull();
  expect(await world.storage.size(pictureKey(kept))).toBeGreaterThan(0);
});

test('many scheduled targets fail in bounded statements', async () => {
  const id = await connect();
  const { postId } = await makePost(world.db, userId, [id]);
  await world.db.execute(
    `with copied as (
       insert into post (id, user_id, origin_id, media_id, description, preview_time_ms, scheduled, date)
       select made, p.user_id, made, p.media_id, p.description, 0, p.scheduled, p.date
       from post p, lateral (select uuid_v7() as made, p.id from generate_series(1, 2500)) each where p.id = $1
       returning id, origin_id)
     insert into target (id, post_id, user_id, account_id, identity_id, origin_id, position, state, due_at, counts_from)
     select uuid_v7(), c.id, t.user_id, t.account_id, t.identity_id, c.origin_id, 0, 'scheduled', t.due_at, t.counts_from
     from copied c, target t where t.post_id = $1`,
    [postId],
  );
  await disconnect(id);
  const states = await world.db.query(
    `select t.state, count(*)::integer as count, count(l.id)::integer as told from target t
     left join timeline l on l.target_id = t.id and l.event = 'failed' where t.account_id = $1 group by 1`,
    [id],
  );
  expect(states).toEqual([{ state: 'failed', count: 2_501, told: 2_501 }]);
  expect(await world.db.query('select from notification where account_id = $1', [id])).toEqual([]);
});

test('tokens stay usable for started targets, then are revoked', async () => {
  const id = await connect();
  const begun = await makePost(world.db, userId, [id], { state: 'confirming' });
  const grantId = await world.grantOf(id);
  await disconnect(id);
  await runGrants();
  const session = await world.accounts.sessions.session(id, {
    minLifeMs: 60_000,
    now: Date.now,
    spend: async () => {},
    countReads: async () => {},
  });
  expect(session).toMatchObject({ ok: true });
  const token = session.ok ? String(session.fresh.tokens.secret.accessToken) : '';
  expect(world.toy.revoked).not.toContain(token);
  await world.db.execute("update target set state = 'posted', due_at = null where id = $1", [begun.targetIds[0]]);
  await world.db.clock.advance(61_000);
  await runGrants();
  expect(world.toy.revoked).toContain(token);
  expect(await exists('access_grant', grantId)).toBe(false);
  expect(await world.account(id)).toMatchObject({ grant_id: null, status: 'DISCONNECTED' });
});

test('a grant is revoked only with its last account', async () => {
  world.toy.settings.pages = ['one', 'two'];
  const request = { userId, platform: 'toy', username: 'pages', privacy: 'all', actor: 'test' };
  const ids = (await world.accounts.connectSandbox(request)).map((each) => each.id);
  const [one = '', two = ''] = ids;
  const before = world.toy.revoked.length;
  await disconnect(one);
  await runGrants();
  expect(world.toy.revoked).toHaveLength(before);
  await disconnect(two);
  await runGrants();
  expect(world.toy.revoked).toHaveLength(before + 1);
});

describe('a revocation that ends the whole consent of a person', () => {
  /** Connects an account of its own grant, and disconnects it. */
  async function joined(owner: string, person: string | null) {
    world.toy.settings.person = person;
    const id = await world.connect(owner, `shared-${++count}`);
    const leave = async () => {
      const before = world.toy.revoked.length;
      await world.accounts.disconnect({ userId: owner, accountId: id, actor: 'session' });
      await runGrants();
      return world.toy.revoked.length - before;
    };
    return { id, grantId: await world.grantOf(id), leave };
  }
  const works = async ({ grantId }: { grantId: string }) =>
    (await world.accounts.grants.freshSecret(grantId, { minLifeMs: 0 })).ok;

  test('is sent only for the last account of the person', async () => {
    const [one, two, stranger] = [await joined(userId, 'p1'), await joined(userId, 'p1'), await joined(userId, 'p2')];
    expect(await one.leave()).toBe(0);
    expect(await exists('access_grant', one.grantId)).toBe(false);
    expect(await works(two)).toBe(true);
    expect(world.lines.some((line) => line.includes('grant_forgotten') && line.includes(one.grantId))).toBe(true);
    expect(await two.leave()).toBe(1);
    expect(await stranger.leave()).toBe(1);
  });

  test('counts accounts of other users who are the same person', async () => {
    const other = await world.newUser();
    const [mine, theirs] = [await joined(userId, 'p3'), await joined(other, 'p3')];
    expect(await mine.leave()).toBe(0);
    expect(await works(theirs)).toBe(true);
    expect(await theirs.leave()).toBe(1);
  });

  test('treats an unknown person as any person', async () => {
    const [unknown, known] = [await joined(userId, ''), await joined(userId, 'p4')];
    expect(await known.leave()).toBe(0);
    const another = await joined(userId, 'p5');
    expect(await unknown.leave()).toBe(0);
    expect(await another.leave()).toBe(1);
  });

  test('counts access from before persons were stored', async () => {
    const [old, known] = [await joined(userId, null), await joined(userId, 'p6')];
    await world.db.execute('update access_grant set consent_app = null where id = $1', [old.grantId]);
    expect(await known.leave()).toBe(0);
    expect(await old.leave()).toBe(1);
  });

  test('waits for a disconnected account that still posts', async () => {
    const [one, two] = [await joined(userId, 'p7'), await joined(userId, 'p7')];
    const begun = await makePost(world.db, userId, [two.id], { state: 'confirming' });
    expect(await two.leave()).toBe(0);
    expect(await one.leave()).toBe(0);
    await world.db.execute("update target set state = 'posted', due_at = null where id = $1", [begun.targetIds[0]]);
    await world.db.clock.advance(61_000);
    const before = world.toy.revoked.length;
    await runGrants();
    expect(world.toy.revoked).toHaveLength(before + 1);
  });

  test('ignores access that the platform has already ended', async () => {
    const [one, ended] = [await joined(userId, 'p8'), await joined(userId, 'p8')];
    await world.db.execute('update access_grant set refused_at = app_now() where id = $1', [ended.grantId]);
    expect(await one.leave()).toBe(1);
  });

  test('deleting a user leaves the consent of other users', async () => {
    const email = 'sharing@example.org';
    const owner = await world.newUser();
    await world.db.execute('update auth."user" set email = $2 where id = $1', [owner, email]);
    const [theirs, mine] = [await joined(owner, 'p9'), await joined(userId, 'p9')];
    const before = world.toy.revoked.length;
    await deleteUser(world.db, email);
    await runGrants();
    expect(world.toy.revoked).toHaveLength(before);
    expect(await exists('access_grant', theirs.grantId)).toBe(false);
    expect(await mine.leave()).toBe(1);
  });
});

test('disconnecting the last two accounts concurrently ends the grant', async () => {
  world.toy.settings.pages = ['left', 'right'];
  const request = { userId, platform: 'toy', username: 'pages', privacy: 'all', actor: 'test' };
  const ids = (await world.accounts.connectSandbox(request)).map((each) => each.id);
  const grantId = await world.grantOf(ids[0] ?? '');
  const other = world.node();
  await Promise.all([disconnect(ids[0] ?? ''), disconnect(ids[1] ?? '', other)]);
  expect((await world.grant(grantId)).ended_at).not.toBeNull();
  await runGrants();
  expect(await exists('access_grant', grantId)).toBe(false);
});

test('deleting a user revokes all grants, including ended ones', async () => {
  const email = 'leaving@example.org';
  const owner = await world.newUser();
  await world.db.execute('update auth."user" set email = $2 where id = $1', [owner, email]);
  const ids = [await world.connect(owner, 'leaving-1'), await world.connect(owner, 'leaving-2')];
  await makePost(world.db, owner, ids, { state: 'confirming' });
  const grants = await Promise.all(ids.map((id) => world.grantOf(id)));
  await world.accounts.disconnect({ userId: owner, accountId: ids[0] ?? '', actor: 'session' });
  await runGrants();
  const before = world.toy.revoked.length;
  await deleteUser(world.db, email);
  await runGrants();
  expect(world.toy.revoked).toHaveLength(before + 2);
  for (const id of grants) expect(await exists('access_grant', id)).toBe(false);
});

test('a failed revocation is retried and finally abandoned', async () => {
  const id = await connect();
  const grantId = await world.grantOf(id);
  const fault = world.simulator.faults.add({ when: ({ path }) => path === '/revoke', fault: { kind: 'reset-before' } });
  await disconnect(id);
  for (let round = 0; round < 12; round++) {
    await runGrants();
    await world.db.clock.advance(2 * 3_600_000);
  }
  expect(fault.hits()).toBe(8);
  expect(await exists('access_grant', grantId)).toBe(false);
});

test('reconnecting before the revocation keeps id and new tokens', async () => {
  const id = await connect();
  await makePost(world.db, userId, [id], { state: 'confirming' });
  await disconnect(id);
  expect(await world.connect(userId, `user-${count}`)).toBe(id);
  const before = world.toy.revoked.length;
  await world.db.clock.advance(61_000);
  await runGrants();
  expect(world.toy.revoked).toHaveLength(before);
  expect(await world.account(id)).toMatchObject({ status: 'CONNECTED', disconnected_at: null });
  expect(await world.accounts.grants.freshSecret(await world.grantOf(id), { minLifeMs: 0 })).toMatchObject({
    ok: true,
  });
});

test('disconnecting removes rules, destinations and empty rules', async () => {
  const [a, b, c] = [await connect(), await connect(), await connect()];
  const source = await makeRule(world.db, userId, a, [b, c]);
  const only = await makeRule(world.db, userId, b, [a]);
  const shared = await makeRule(world.db, userId, c, [a, b]);
  const other = await makeRule(world.db, userId, b, [c]);
  await disconnect(a);
  expect(await Promise.all([source, only, shared, other].map((id) => exists('rule', id)))).toEqual([
    false,
    false,
    true,
    true,
  ]);
  const left = await world.db.query('select account_id from rule_destination where rule_id = $1', [shared]);
  expect(left).toEqual([{ account_id: b }]);
});

test('disconnecting removes queued reposts, but not started ones', async () => {
  const owner = userId;
  userId = await world.newUser();
  const [a, b] = [await connect(), await connect()];
  const ruleId = await makeRule(world.db, userId, a, [b]);
  const queued = await makePost(world.db, userId, [b], { ruleId });
  const begun = await makePost(world.db, userId, [b], { ruleId, state: 'waiting' });
  await disconnect(a);
  expect(await exists('post', queued.postId)).toBe(false);
  expect(await exists('post', begun.postId)).toBe(true);
  expect(await world.db.query('select posts from usage where user_id = $1', [userId])).toEqual([{ posts: 1 }]);
  expect(await world.db.query('select posts from user_counter where user_id = $1', [userId])).toEqual([{ posts: 1 }]);
  userId = owner;
});

test('a rule added concurrently fails or is removed', async () => {
  for (let round = 0; round < 10; round++) {
    const [a, b] = [await connect(), await connect()];
    const settings = { plans: loadPlans(undefined), sandbox: true };
    const [added] = await Promise.allSettled([
      addRule({ db: world.db, config: settings, connectors: {} }, userId, { from: a, to: [b] }),
      disconnect(a, world.accounts),
    ]);
    const rules = await world.db.query('select 1 from rule where from_account = $1', [a]);
    expect(rules).toEqual([]);
    if (added.status === 'rejected') expect(added.reason).toMatchObject({ code: 'platform_not_connected' });
    await disconnect(b);
  }
});

test('disconnecting a repeated, foreign or unknown account fails', async () => {
  const id = await connect();
  const stranger = await world.newUser();
  const unknown = { code: 'unknown_platform', status: 404 };
  await expect(world.accounts.disconnect({ userId: stranger, accountId: id, actor: 'session' })).rejects.toMatchObject(
    unknown,
  );
  await expect(disconnect('019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b')).rejects.toMatchObject(unknown);
  await expect(disconnect('nonsense')).rejects.toMatchObject(unknown);
  const both = await Promise.allSettled([disconnect(id), disconnect(id, world.node())]);
  expect(both.map((each) => each.status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('a disconnected account frees its place in the plan', async () => {
  const owner = userId;
  userId = await world.newUser('FREE');
  const ids = [await connect(), await connect(), await connect()];
  await expect(connect()).rejects.toMatchObject({ code: 'plan_limit_reached' });
  await disconnect(ids[0] ?? '');
  await connect();
  userId = owner;
});
