/** Tests of token handling against an independent authorization server. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Accounts } from '../../src/accounts/service.ts';
import { textAt } from '../../src/connectors/kit/json.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { createHttp, type ManagedHttp } from '../../src/outbound/http-client.ts';
import { type AccountWorld, createAccountWorld } from '../account/world.ts';
import { consentAt, type Decision } from './oidc/browser.ts';
import { LIFE_SECONDS, type Oidc, startOidc } from './oidc/server.ts';
import { SCOPES, standardConnector } from './oidc/standard.ts';

const PUBLIC_URL = 'https://reelay.example';
const MINUTE = 60_000;
const LIFE_MS = LIFE_SECONDS * 1000;

let world: AccountWorld;
let server: Oidc;
let http: ManagedHttp;
let accounts: Accounts;
let userId: string;
let count = 0;

/** A node with the server as its only platform. */
function node(overrides: Parameters<AccountWorld['node']>[0] = {}): Accounts {
  const guard = createAddressGuard([new URL(server.url).host], []);
  return world.node({
    connectors: { toy: standardConnector(world.toy.connector, server.url) },
    real: { http, guard },
    sandbox: null,
    publicUrl: PUBLIC_URL,
    apps: { find: () => server.clients.basic },
    ...overrides,
  });
}

beforeAll(async () => {
  world = await createAccountWorld();
  server = await startOidc({ redirectUri: `${PUBLIC_URL}/oauth/toy/callback`, scopes: SCOPES });
  http = createHttp({ guard: createAddressGuard([new URL(server.url).host], []) });
  accounts = node();
  userId = await world.newUser();
});
afterEach(() => expect(server.errors).toEqual([]));
afterAll(async () => {
  http?.close();
  await server?.close();
  await world?.close();
});

/** Drives the consent: our page, the server's page, and the callback. */
async function consent(decision: Decision = {}, on = accounts) {
  const { url } = await on.startConnect({ userId, platform: 'toy', actor: 'session' });
  const ticket = new URL(url ?? '').searchParams.get('ticket') ?? '';
  const step = await on.startConsent({ platform: 'toy', ticket, browser: null, signedIn: userId });
  if (step.then !== 'redirect') throw new Error(`No redirect: ${JSON.stringify(step)}`);
  const query = await consentAt(step.url, decision);
  return on.finishConsent({ platform: 'toy', query, browser: step.browser });
}

async function connect(username = `user-${++count}`, on = accounts) {
  const step = await consent({ username }, on);
  if (step.then !== 'connected') throw new Error(`Not connected: ${JSON.stringify(step)}`);
  const accountId = step.accounts[0]?.id ?? '';
  return { username, accountId, grantId: await world.grantOf(accountId), again: step.accounts[0]?.again };
}

/** Advances the clocks of database and server. */
async function pass(ms: number): Promise<void> {
  await world.db.clock.advance(ms);
  server.age(ms);
}

/** Returns fresh tokens, as requested by the publisher. */
async function fresh(grantId: string, on = accounts) {
  const outcome = await on.grants.freshSecret(grantId, { minLifeMs: MINUTE });
  if (!outcome.ok) throw new Error(outcome.failure.detail.text);
  const { tokens, lifetimeLeftMs } = outcome.fresh;
  return {
    lifetimeLeftMs,
    access: textAt(tokens.secret, 'accessToken'),
    refresh: textAt(tokens.secret, 'refreshToken'),
  };
}

const status = async (id: string) => (await world.account(id)).status;
const asks = async (token: string) =>
  (await fetch(`${server.url}/me`, { headers: { authorization: `Bearer ${token}` } })).status;
/** Runs only this grant's due work. */
async function runOnce(grantId: string): Promise<number> {
  await world.db.execute('update access_grant set due_at = null where id <> $1', [grantId]);
  return accounts.loops.grants.runOnce();
}
/** Runs all due work. */
const runGrants = async () => {
  while ((await accounts.loops.grants.runOnce()) > 0);
};

test('a consent connects the account that gave it', async () => {
  const { accountId, grantId, username } = await connect();
  expect(await world.account(accountId)).toMatchObject({ status: 'CONNECTED', username, sandbox: false });
  expect(await world.grant(grantId)).toMatchObject({ scopes: [...SCOPES], version: 1 });
  expect(await asks((await fresh(grantId)).access)).toBe(200);
});

test('a denied consent connects nothing and requests no token', async () => {
  const calls = server.tokenCalls();
  expect(await consent({ decision: 'deny' })).toMatchObject({
    then: 'refused',
    title: { text: 'Nothing was connected' },
  });
  expect(server.tokenCalls()).toBe(calls);
});

test('a partial consent connects nothing and names missing scopes', async () => {
  expect(await consent({ granted: ['who'] })).toMatchObject({
    then: 'refused',
    reason: { text: expect.stringContaining('did not grant post.') },
  });
});

test('two nodes send one refresh for the same grant', async () => {
  const { accountId, grantId } = await connect();
  const other = node();
  const first = await fresh(grantId);
  await pass(LIFE_MS);
  let release = () => {};
  server.troubleNext({
    kind: 'held',
    until: new Promise((resolve) => {
      release = resolve;
    }),
  });
  const calls = server.tokenCalls();
  const both = [fresh(grantId), fresh(grantId, other)];
  await expect.poll(() => server.tokenCalls()).toBe(calls + 1);
  release();
  const [here, there] = await Promise.all(both);
  expect(here?.access).toBe(there?.access);
  expect(server.tokenCalls()).toBe(calls + 1);
  expect(here?.refresh).not.toBe(first.refresh);
  await pass(LIFE_MS);
  expect(await asks((await fresh(grantId, other)).access)).toBe(200);
  expect(server.tokenCalls()).toBe(calls + 2);
  expect(await status(accountId)).toBe('CONNECTED');
});

test('a refresh lost in a crash is retried once', async () => {
  const { accountId, grantId } = await connect();
  await pass(LIFE_MS);
  const db = world.db.another();
  const died = Promise.withResolvers<void>();
  const gone = () => {
    died.resolve();
    return new Promise<never>(() => {});
  };
  const dying = node({ db: { ...db, transaction: gone } });
  const calls = server.tokenCalls();
  void fresh(grantId, dying);
  await died.promise;
  expect(server.tokenCalls()).toBe(calls + 1);
  // Whether that refresh was executed is unknown here. Until its deadline nobody sends another.
  const waiting = accounts.grants.freshSecret(grantId, { minLifeMs: MINUTE });
  await pass(20_000);
  expect(await runOnce(grantId)).toBe(0);
  expect(server.tokenCalls()).toBe(calls + 1);
  await pass(MINUTE);
  expect(await waiting).toMatchObject({ ok: false, failure: { kind: 'reconnect' } });
  expect(server.tokenCalls()).toBe(calls + 2);
  expect(await status(accountId)).toBe('EXPIRED');
  for (let day = 0; day < 3; day++) {
    await pass(24 * 60 * MINUTE);
    expect(await runOnce(grantId)).toBe(0);
    const session = await accounts.sessions.session(accountId, {
      minLifeMs: MINUTE,
      now: Date.now,
      spend: async () => {},
      countReads: async () => {},
    });
    expect(session).toMatchObject({ ok: false, failure: { kind: 'reconnect' } });
  }
  expect(server.tokenCalls()).toBe(calls + 2);
});

test('a reconnected expired account keeps its id and works', async () => {
  const { accountId, grantId, username } = await connect();
  server.revokeAll();
  await pass(LIFE_MS);
  await runGrants();
  expect(await status(accountId)).toBe('EXPIRED');
  const after = await connect(username);
  expect(after).toMatchObject({ accountId, grantId, again: true });
  expect(await status(accountId)).toBe('CONNECTED');
  await pass(LIFE_MS);
  expect(await asks((await fresh(grantId)).access)).toBe(200);
});

test.each([10, -10])('clock skew of %s minutes does not affect token lifetimes', async (minutes) => {
  await world.db.clock.advance(minutes * MINUTE);
  const skewed = node({ now: () => Date.now() + minutes * MINUTE });
  const { accountId, grantId } = await connect(undefined, skewed);
  const first = await fresh(grantId, skewed);
  expect(first.lifetimeLeftMs).toBeGreaterThan(LIFE_MS - MINUTE);
  expect(first.lifetimeLeftMs).toBeLessThanOrEqual(LIFE_MS);
  const calls = server.tokenCalls();
  await pass(LIFE_MS - 15 * MINUTE);
  expect((await fresh(grantId, skewed)).access).toBe(first.access);
  expect(await asks(first.access)).toBe(200);
  expect(server.tokenCalls()).toBe(calls);
  await pass(14 * MINUTE + 1_000);
  const second = await fresh(grantId, skewed);
  expect(second.lifetimeLeftMs).toBeGreaterThan(LIFE_MS - MINUTE);
  expect(await asks(second.access)).toBe(200);
  expect(server.tokenCalls()).toBe(calls + 1);
  expect(await status(accountId)).toBe('CONNECTED');
});

test('a token that the server ended is refreshed once', async () => {
  const { accountId, grantId } = await connect();
  const options = { minLifeMs: MINUTE, now: Date.now, spend: async () => {}, countReads: async () => {} };
  await world.db.clock.advance(LIFE_MS - 10 * MINUTE);
  server.age(LIFE_MS);
  const session = await accounts.sessions.session(accountId, options);
  const dead = session.ok ? textAt(session.fresh.tokens.secret, 'accessToken') : '';
  expect(await asks(dead)).toBe(401);
  const calls = server.tokenCalls();
  await accounts.sessions.refresh(accountId);
  expect(server.tokenCalls()).toBe(calls + 1);
  expect(await asks((await fresh(grantId)).access)).toBe(200);
  expect(await status(accountId)).toBe('CONNECTED');
});

test('disconnecting revokes the access at the server', async () => {
  const { accountId, grantId } = await connect();
  const { access, refresh } = await fresh(grantId);
  await accounts.disconnect({ userId, accountId, actor: 'session' });
  await runGrants();
  expect(await asks(access)).toBe(401);
  expect([await server.isActive(access), await server.isActive(refresh)]).toEqual([false, false]);
  expect(await world.db.query('select 1 from access_grant where id = $1', [grantId])).toEqual([]);
});

test('a reconnected account keeps its id', async () => {
  const { accountId, username } = await connect();
  await accounts.disconnect({ userId, accountId, actor: 'session' });
  await runGrants();
  const after = await connect(username);
  expect(after.accountId).toBe(accountId);
  expect(await asks((await fresh(after.grantId)).access)).toBe(200);
});
