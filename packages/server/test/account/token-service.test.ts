import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { listPlatforms } from '../../src/accounts/platform-list-store.ts';
import { openSecret } from '../../src/accounts/tokens/token-secret.ts';
import { dueGrants, type GrantClaim } from '../../src/accounts/tokens/token-store.ts';
import type { Queryable } from '../../src/db/database.ts';
import { ReelayError } from '../../src/errors/reelay-error.ts';
import { createLanguages } from '../../src/messages/languages.ts';
import { renewalWarnings } from '../../src/operations/platform/warnings.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { createHttp } from '../../src/outbound/http-client.ts';
import { PlatformError } from '../../src/outbound/platform-error.ts';
import { messageOf } from '../harness/message.ts';
import { type AccountWorld, createAccountWorld } from './world.ts';

let world: AccountWorld;
let userId: string;
beforeAll(async () => {
  world = await createAccountWorld();
  userId = await world.newUser();
});
afterEach(() => {
  world.simulator.faults.clear();
  Object.assign(world.toy.settings, { expiresIn: 3600, rotates: true });
  expect(world.simulator.errors).toEqual([]);
});
afterAll(() => world.close());

const HOUR = 3_600_000;
let count = 0;

/** An account whose access token has expired. */
async function expired() {
  const accountId = await world.connect(userId, `user-${++count}`);
  const grantId = await world.grantOf(accountId);
  await world.db.clock.advance(2 * HOUR);
  return { accountId, grantId };
}

const status = async (id: string) => (await world.account(id)).status;
const tokenCalls = () => world.simulator.requests.filter((each) => each.path.startsWith('/token')).length;

test('a token with enough lifetime is used unchanged', async () => {
  const grantId = await world.grantOf(await world.connect(userId, `user-${++count}`));
  const before = world.toy.refreshes();
  const outcome = await world.accounts.grants.freshSecret(grantId, { minLifeMs: 300_000 });
  expect(outcome).toMatchObject({ ok: true, fresh: { version: 1 } });
  const life = outcome.ok ? (outcome.fresh.lifetimeLeftMs ?? 0) : 0;
  expect(life).toBeGreaterThan(HOUR - 60_000);
  expect(life).toBeLessThanOrEqual(HOUR);
  expect(world.toy.refreshes()).toBe(before);
});

test('a refreshed token is stored before its use', async () => {
  const accountId = await world.connect(userId, `user-${++count}`);
  const grantId = await world.grantOf(accountId);
  await world.db.clock.advance(HOUR - 60_000);
  const outcome = await world.accounts.grants.freshSecret(grantId, { minLifeMs: 300_000 });
  const row = await world.grant(grantId);
  expect(outcome).toMatchObject({ ok: true, fresh: { version: 2 } });
  expect(row).toMatchObject({ version: 2, attempts: 0, refresh_sent_until: null, lease_until: null });
});

test('fifty callers on several nodes share one refresh', async () => {
  const { grantId } = await expired();
  const nodes = [world.accounts, world.node(), world.node()];
  const before = world.toy.refreshes();
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, n) => nodes[n % 3]?.grants.freshSecret(grantId, { minLifeMs: 60_000 })),
  );
  expect(world.toy.refreshes()).toBe(before + 1);
  const tokens = outcomes.map((each) => each?.ok && each.fresh.tokens.secret.accessToken);
  expect(new Set(tokens).size).toBe(1);
  expect(tokens[0]).toMatch(/^access\./);
});

test('the refresh succeeds despite a concurrent claim', async () => {
  const { grantId } = await expired();
  const db = world.db.another();
  let claim: GrantClaim | null = null;
  const claimed = Promise.withResolvers<GrantClaim>();
  // Claims as the loop does, just after the grant was read as free and before it can be claimed.
  const query: Queryable['query'] = async (text, values) => {
    const rows = await db.query<never>(text, values);
    if (claim || !text.includes('"sentForMs"')) return rows;
    claim = await dueGrants.take(world.db, grantId, 600_000);
    if (claim) claimed.resolve(claim);
    return rows;
  };
  const node = world.node({ db: Object.assign(Object.create(db), { query }) });
  const wanted = node.grants.freshSecret(grantId, { minLifeMs: 60_000 });
  const before = world.toy.refreshes();
  await node.grants.refreshAhead(await claimed.promise);
  expect(await wanted).toMatchObject({ ok: true, fresh: { version: 2 } });
  expect(world.toy.refreshes()).toBe(before + 1);
});

test('a refresh is recorded in the database before sending', async () => {
  const { grantId } = await expired();
  let release = () => {};
  const hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  const fault = world.simulator.faults.add({
    when: ({ path }) => path === '/token',
    times: 1,
    fault: { kind: 'pause', at: 'before', hold },
  });
  const outcome = world.accounts.grants.freshSecret(grantId, { minLifeMs: 60_000 });
  await expect.poll(() => fault.hits()).toBe(1);
  const row = await world.grant(grantId);
  const now = (await world.db.clock.now()).getTime();
  expect((row.refresh_sent_until as Date).getTime()).toBeGreaterThan(now + 15_000);
  expect((row.lease_until as Date).getTime()).toBeGreaterThan(now + 15_000);
  release();
  expect(await outcome).toMatchObject({ ok: true });
});

test('a lost refresh is resent once, after its deadline', async () => {
  world.toy.settings.rotates = false;
  const { accountId, grantId } = await expired();
  const fault = world.simulator.faults.add({
    when: ({ path }) => path === '/token',
    times: 1,
    fault: { kind: 'reset-after' },
  });
  const first = await world.accounts.grants.freshSecret(grantId, { minLifeMs: 60_000 });
  expect(first).toMatchObject({ ok: false, failure: { kind: 'transient' } });
  expect(fault.hits()).toBe(1);
  const calls = tokenCalls();
  const early = await world.node().grants.freshSecret(grantId, { minLifeMs: 60_000 });
  expect(early).toMatchObject({ ok: false, failure: { kind: 'transient' } });
  expect(tokenCalls()).toBe(calls);
  const wait = !early.ok && 'waitMs' in early.failure ? (early.failure.waitMs ?? 0) : 0;
  expect(wait).toBeGreaterThan(20_000);
  await world.db.clock.advance(wait + 1000);
  expect(await world.node().grants.freshSecret(grantId, { minLifeMs: 60_000 })).toMatchObject({ ok: true });
  expect(tokenCalls()).toBe(calls + 1);
  expect(await status(accountId)).toBe('CONNECTED');
});

test('a lost rotation is EXPIRED only if the platform confirms', async () => {
  const { accountId, grantId } = await expired();
  world.simulator.faults.add({ when: ({ path }) => path === '/token', times: 1, fault: { kind: 'reset-after' } });
  await world.accounts.grants.freshSecret(grantId, { minLifeMs: 60_000 });
  expect(await status(accountId)).toBe('CONNECTED');
  await world.db.clock.advance(60_000);
  const second = await world.accounts.grants.freshSecret(grantId, { minLifeMs: 60_000 });
  expect(second).toMatchObject({ ok: false, failure: { kind: 'reconnect' } });
  expect(await status(accountId)).toBe('EXPIRED');
  const calls = tokenCalls();
  expect(await world.accounts.grants.freshSecret(grantId, { minLifeMs: 0 })).toMatchObject({ ok: false });
  expect(tokenCalls()).toBe(calls);
});

test('failures back off and disconnect nobody', async () => {
  const { accountId, grantId } = await expired();
  world.simulator.faults.add({
    when: ({ path }) => path === '/token',
    fault: { kind: 'status', answer: { status: 503, body: {} } },
  });
  const waits: number[] = [];
  for (let round = 0; round < 6; round++) {
    const outcome = await world.accounts.grants.freshSecret(grantId, { minLifeMs: 60_000 });
    expect(outcome).toMatchObject({ ok: false, failure: { kind: 'transient' } });
    const wait = !outcome.ok && 'waitMs' in outcome.failure ? (outcome.failure.waitMs ?? 0) : 0;
    waits.push(wait);
    await world.db.clock.advance(wait + 1000);
  }
  // From the fifth failure on, all delays are slightly over an hour.
  expect(waits.slice(0, 5)).toEqual(waits.slice(0, 5).sort((a, b) => a - b));
  expect(waits[0]).toBeLessThan(40_000);
  expect(waits[5]).toBeGreaterThanOrEqual(HOUR);
  expect(await status(accountId)).toBe('CONNECTED');
  world.simulator.faults.clear();
  expect(await world.accounts.grants.freshSecret(grantId, { minLifeMs: 60_000 })).toMatchObject({ ok: true });
});

test('an unreachable platform disconnects nobody; nothing was sent', async () => {
  const { accountId, grantId } = await expired();
  const guard = createAddressGuard([], []);
  const http = createHttp({ guard });
  const node = world.node({ simulated: { http, guard } });
  expect(await node.grants.freshSecret(grantId, { minLifeMs: 60_000 })).toMatchObject({
    ok: false,
    failure: { kind: 'transient' },
  });
  http.close();
  expect(await world.grant(grantId)).toMatchObject({ refresh_sent_until: null, attempts: 1 });
  expect(await status(accountId)).toBe('CONNECTED');
});

test('the refresh token stays if the response has none', async () => {
  world.toy.settings.rotates = false;
  const { grantId } = await expired();
  for (let round = 0; round < 3; round++) {
    expect(await world.accounts.grants.freshSecret(grantId, { minLifeMs: 60_000 })).toMatchObject({
      ok: true,
      fresh: { tokens: { secret: { refreshToken: expect.stringMatching(/^refresh\./) } } },
    });
    await world.db.clock.advance(2 * HOUR);
  }
});

test.each([0, -5, Number.NaN, '3600', 1e12])('a lifetime of %s is ignored, but tokens are kept', async (life) => {
  const { accountId, grantId } = await expired();
  world.toy.settings.expiresIn = life;
  const outcome = await world.accounts.grants.freshSecret(grantId, { minLifeMs: 60_000 });
  // JSON has no NaN; null would mean "does not expire".
  const left = Number.isNaN(life) ? null : expect.closeTo(HOUR, -5);
  expect(outcome).toMatchObject({ ok: true, fresh: { version: 2, lifetimeLeftMs: left } });
  expect(await status(accountId)).toBe('CONNECTED');
});

test('tokens with a short lifetime cause no refresh loop', async () => {
  const { grantId } = await expired();
  world.toy.settings.expiresIn = 120;
  const before = world.toy.refreshes();
  const outcome = await world.accounts.grants.freshSecret(grantId, { minLifeMs: 300_000 });
  expect(outcome).toMatchObject({ ok: true });
  expect(world.toy.refreshes()).toBe(before + 1);
});

test('another node takes over a refresh after its deadline', async () => {
  world.toy.settings.rotates = false;
  const { grantId } = await expired();
  // The row as such a node leaves it: leased, sent, never answered.
  await world.db.execute(
    `update access_grant set lease_until = app_now() + interval '25 s', refresh_sent_until = app_now() + interval '25 s',
       due_at = app_now() + interval '30 s', fence = fence + 1, attempts = 1 where id = $1`,
    [grantId],
  );
  const before = world.toy.refreshes();
  await world.db.clock.advance(24_000);
  const waiting = world.accounts.grants.freshSecret(grantId, { minLifeMs: 60_000 });
  expect(world.toy.refreshes()).toBe(before);
  await world.db.clock.advance(7_000);
  expect(await waiting).toMatchObject({ ok: true });
  expect(world.toy.refreshes()).toBe(before + 1);
});

test('late tokens are stored despite a "revoked" verdict', async () => {
  const { accountId, grantId } = await expired();
  let release = () => {};
  const hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  const fault = world.simulator.faults.add({
    when: ({ path }) => path === '/token',
    times: 1,
    fault: { kind: 'pause', at: 'after', hold },
  });
  const late = world.node().grants.freshSecret(grantId, { minLifeMs: 60_000 });
  await expect.poll(() => fault.hits()).toBe(1);
  await world.db.clock.advance(60_000);
  expect(await world.accounts.grants.freshSecret(grantId, { minLifeMs: 60_000 })).toMatchObject({
    ok: false,
    failure: { kind: 'reconnect' },
  });
  expect(await status(accountId)).toBe('EXPIRED');
  release();
  expect(await late).toMatchObject({ ok: true });
  expect(await status(accountId)).toBe('CONNECTED');
});

test('reconnecting during a refresh: the new consent wins', async () => {
  const accountId = await world.connect(userId, 'again');
  const grantId = await world.grantOf(accountId);
  await world.db.clock.advance(2 * HOUR);
  let release = () => {};
  const hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  const fault = world.simulator.faults.add({
    when: ({ path }) => path === '/token',
    times: 1,
    fault: { kind: 'pause', at: 'after', hold },
  });
  const late = world.accounts.grants.freshSecret(grantId, { minLifeMs: 60_000 });
  await expect.poll(() => fault.hits()).toBe(1);
  expect(await world.connect(userId, 'again')).toBe(accountId);
  const consented = world.toy.secrets.at(-1);
  release();
  expect(await late).toMatchObject({ ok: true, fresh: { tokens: { secret: { refreshToken: consented } } } });
});

test('the loop refreshes ahead of expiry', async () => {
  const grantId = await world.grantOf(await world.connect(userId, `user-${++count}`));
  await world.db.execute('update access_grant set due_at = null where id <> $1', [grantId]);
  const before = world.toy.refreshes();
  expect(await world.accounts.loops.grants.runOnce()).toBe(0);
  await world.db.clock.advance(50 * 60_000);
  expect(await world.accounts.loops.grants.runOnce()).toBe(1);
  expect(world.toy.refreshes()).toBe(before + 1);
  expect(await world.accounts.loops.grants.runOnce()).toBe(0);
});

test("a secret cannot be decrypted as another grant's", async () => {
  const one = await world.grant(await world.grantOf(await world.connect(userId, `user-${++count}`)));
  const sealer = {
    seal: () => Buffer.alloc(0),
    isCurrent: () => false,
    opens: () => false,
    open: () => {
      throw new Error('other');
    },
  };
  expect(openSecret(sealer, { id: String(one.id), sealed: one.sealed as Buffer })).toBeNull();
  await world.db.execute('update access_grant set sealed = $2 where id = $1', [(await expired()).grantId, one.sealed]);
  const [moved] = await world.db.query<{ id: string }>('select id from access_grant where sealed = $1 and id <> $2', [
    one.sealed,
    one.id,
  ]);
  expect(await world.accounts.grants.freshSecret(moved?.id ?? '', { minLifeMs: 0 })).toMatchObject({ ok: false });
});

test('a lost SECRET_KEY is reported and disconnects nobody', async () => {
  const accountId = await world.connect(userId, `user-${++count}`);
  const other = world.node({
    sealer: (await import('../../src/lib/encryption/seal.ts')).createSealer([Buffer.alloc(32, 7)]),
  });
  const outcome = await other.grants.freshSecret(await world.grantOf(accountId), { minLifeMs: 0 });
  expect(outcome).toMatchObject({
    ok: false,
    failure: { kind: 'setup', detail: { code: 'access_undecryptable' } },
  });
  expect(await status(accountId)).toBe('CONNECTED');
});

test('storing tokens is retried while the database is unavailable', async () => {
  const { accountId, grantId } = await expired();
  const db = world.db.another();
  let away = 3;
  const flaky: typeof db = {
    ...db,
    async transaction(work) {
      if (away-- > 0) throw new ReelayError('database_unavailable');
      return db.transaction(work);
    },
  };
  const before = world.toy.refreshes();
  const outcome = await world.node({ db: flaky }).grants.freshSecret(grantId, { minLifeMs: 60_000 });
  expect(outcome).toMatchObject({ ok: true, fresh: { version: 2 } });
  expect(away).toBeLessThan(0);
  expect(world.toy.refreshes()).toBe(before + 1);
  expect(await status(accountId)).toBe('CONNECTED');
});

test('a worker frozen before a refresh sends nothing', async () => {
  const { grantId } = await expired();
  const { oauth } = world.toy.connector;
  if (!oauth?.refresh) throw new Error('The platform of this test refreshes.');
  const refresh = oauth.refresh;
  const honest = Date.now;
  const node = world.node({
    connectors: {
      toy: {
        ...world.toy.connector,
        oauth: {
          ...oauth,
          refresh(context, tokens) {
            // The machine slept: only the wall clock advanced.
            vi.spyOn(Date, 'now').mockImplementation(() => honest() + 60_000);
            return refresh(context, tokens);
          },
        },
      },
    },
  });
  const calls = tokenCalls();
  const outcome = await node.grants.freshSecret(grantId, { minLifeMs: 60_000 });
  vi.restoreAllMocks();
  expect(outcome).toMatchObject({ ok: false, failure: { kind: 'transient' } });
  expect(tokenCalls()).toBe(calls);
  // Known not to have been sent, so only the back-off delay applies.
  expect(await world.grant(grantId)).toMatchObject({ refresh_sent_until: null });
});

test('a delay requested by the platform is respected', async () => {
  const { grantId } = await expired();
  const { oauth } = world.toy.connector;
  const failure = {
    kind: 'rateLimited',
    waitMs: 7_200_000,
    scope: 'app',
    window: 'rate',
    detail: messageOf('Slow down.'),
  } as const;
  const node = world.node({
    connectors: {
      toy: {
        ...world.toy.connector,
        oauth: oauth && { ...oauth, refresh: () => Promise.reject(new PlatformError(failure)) },
      },
    },
  });
  const outcome = await node.grants.freshSecret(grantId, { minLifeMs: 60_000 });
  expect(outcome).toMatchObject({ ok: false, failure: { kind: 'transient', waitMs: 7_200_000 } });
});

test('an unknown application disconnects nobody', async () => {
  const { accountId, grantId } = await expired();
  const { oauth } = world.toy.connector;
  const failure = { kind: 'setup', detail: messageOf('The application is not known.') } as const;
  const node = world.node({
    connectors: {
      toy: {
        ...world.toy.connector,
        oauth: oauth && { ...oauth, refresh: () => Promise.reject(new PlatformError(failure)) },
      },
    },
  });
  expect(await node.grants.freshSecret(grantId, { minLifeMs: 60_000 })).toMatchObject({
    ok: false,
    failure: { kind: 'transient' },
  });
  expect(await status(accountId)).toBe('CONNECTED');
});

test('tokens that are too long are not stored', async () => {
  const { accountId, grantId } = await expired();
  const { oauth } = world.toy.connector;
  if (!oauth?.refresh) throw new Error('The toy cannot refresh.');
  const { refresh } = oauth;
  const hostile = async (...given: Parameters<typeof refresh>) => {
    const tokens = await refresh(...given);
    return { ...tokens, secret: { ...tokens.secret, accessToken: 'x'.repeat(1_000_000) } };
  };
  const node = world.node({
    connectors: { toy: { ...world.toy.connector, oauth: { ...oauth, refresh: hostile } } },
  });
  const outcome = await node.grants.freshSecret(grantId, { minLifeMs: 60_000 });
  expect(outcome).toMatchObject({ ok: false, failure: { kind: 'transient', detail: { code: 'token_too_long' } } });
  expect(await world.grant(grantId)).toMatchObject({ version: 1, lease_until: null });
  expect(await status(accountId)).toBe('CONNECTED');
});

test('an account shows that its access cannot be renewed', async () => {
  const { accountId, grantId } = await expired();
  const warnings = async () => {
    const row = (await listPlatforms(world.db, userId)).find(({ id }) => id === accountId);
    return row ? renewalWarnings(row, createLanguages({}).english.render) : null;
  };
  const refuse = (times: number) =>
    world.simulator.faults.add({
      when: ({ path }) => path.startsWith('/token'),
      times,
      fault: { kind: 'status', answer: { status: 503, body: {} } },
    });
  const refresh = async () => {
    await world.db.clock.advance(2 * HOUR);
    return (await world.accounts.grants.freshSecret(grantId, { minLifeMs: 60_000 })).ok;
  };
  refuse(1);
  expect([await refresh(), await warnings()]).toEqual([false, []]);
  const since = (await world.db.clock.now()).getTime();
  refuse(2);
  expect(await refresh()).toBe(false);
  expect(await warnings()).toEqual([
    { code: 'access_not_renewed', text: expect.stringContaining('keeps trying'), since: expect.any(String) },
  ]);
  expect(await refresh()).toBe(false);
  const [warning] = (await warnings()) ?? [];
  expect(Math.abs(Date.parse(warning?.since ?? '') - since)).toBeLessThan(HOUR);
  expect([await refresh(), await warnings()]).toEqual([true, []]);
});
