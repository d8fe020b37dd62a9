import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { PlatformError } from '../../src/outbound/platform-error.ts';
import { messageOf } from '../harness/message.ts';
import { type AccountWorld, createAccountWorld } from './world.ts';

let world: AccountWorld;
let userId: string;
let count = 0;
beforeAll(async () => {
  world = await createAccountWorld();
  userId = await world.newUser();
});
afterEach(() => {
  world.simulator.faults.clear();
  Object.assign(world.toy.settings, { displayName: 'Nora', audiences: ['ALL', 'ME'], maxLength: 100 });
  expect(world.simulator.errors).toEqual([]);
});
afterAll(() => world.close());

const connect = () => world.connect(userId, `user-${++count}`);
const options = { minLifeMs: 60_000, now: Date.now, spend: async () => {}, countReads: async () => {} };
const status = async (id: string) => (await world.account(id)).status;

test('a session has everything that a connector needs', async () => {
  const id = await connect();
  const spent: string[] = [];
  const open = await world.accounts.sessions.open(id, { ...options, spend: async (name) => void spent.push(name) });
  expect(open.connector.id).toBe('toy');
  expect(open.capabilities.caption.maxLength).toBe(100);
  expect(open.session).toMatchObject({
    endpoints: { api: world.simulator.url },
    service: '',
    remoteId: `id-user-${count}`,
    username: `user-${count}`,
    choices: { audience: 'ALL' },
    secret: { accessToken: expect.stringMatching(/^access\./) },
    app: { clientId: 'app' },
    sandbox: true,
  });
  await open.session.spend('posts');
  expect(spent).toEqual(['posts']);
});

test('a rejected access token is replaced once for all users', async () => {
  const id = await connect();
  const before = (await world.accounts.sessions.open(id, options)).session.secret.accessToken;
  const refreshes = world.toy.refreshes();
  await Promise.all([world.accounts.sessions.refresh(id), world.accounts.sessions.refresh(id)]);
  await world.accounts.sessions.refresh(id);
  expect(world.toy.refreshes()).toBe(refreshes + 1);
  expect((await world.accounts.sessions.open(id, options)).session.secret.accessToken).not.toBe(before);
});

test('errors of replaced tokens do not affect the account', async () => {
  const id = await connect();
  await world.accounts.sessions.open(id, options);
  await world.node().grants.freshSecret(await world.grantOf(id), { minLifeMs: 2 * 3_600_000 });
  const refreshes = world.toy.refreshes();
  await world.accounts.sessions.refused(id, { kind: 'reconnect', detail: messageOf('x') });
  await world.accounts.sessions.refresh(id);
  expect(await status(id)).toBe('CONNECTED');
  expect(world.toy.refreshes()).toBe(refreshes);
});

test('a definitely rejected account is EXPIRED until reconnected', async () => {
  const id = await connect();
  await world.accounts.sessions.open(id, options);
  await world.accounts.sessions.refused(id, { kind: 'reconnect', detail: messageOf('x') });
  expect(await status(id)).toBe('EXPIRED');
  await expect(world.accounts.sessions.open(id, options)).rejects.toMatchObject({ failure: { kind: 'reconnect' } });
  await world.connect(userId, `user-${count}`);
  expect(await status(id)).toBe('CONNECTED');
  expect(await world.accounts.sessions.session(id, options)).toMatchObject({ ok: true });
});

test('a revoked account is REVOKED until reconnected', async () => {
  const id = await connect();
  await world.accounts.sessions.open(id, options);
  await world.accounts.sessions.refused(id, { kind: 'reconnect', revoked: true, detail: messageOf('x') });
  expect(await status(id)).toBe('REVOKED');
  await expect(world.accounts.sessions.open(id, options)).rejects.toMatchObject({ failure: { kind: 'reconnect' } });
  await world.connect(userId, `user-${count}`);
  expect(await status(id)).toBe('CONNECTED');
});

test('expired tokens that cannot be refreshed are EXPIRED', async () => {
  const id = await connect();
  const { refresh: _, ...oauth } = world.toy.connector.oauth ?? {};
  const node = world.node({
    connectors: { toy: { ...world.toy.connector, oauth: oauth as typeof world.toy.connector.oauth } },
  });
  expect(await node.sessions.session(id, options)).toMatchObject({ ok: true });
  await world.db.clock.advance(3_700_000);
  await expect(node.sessions.open(id, options)).rejects.toThrow(PlatformError);
  expect(await status(id)).toBe('EXPIRED');
});

test('a service without the sandbox keeps simulated accounts unopened', async () => {
  const id = await connect();
  const node = world.node({ sandbox: null });
  expect(await node.sessions.session(id, options)).toMatchObject({ ok: false, failure: { kind: 'setup' } });
  expect(await status(id)).toBe('CONNECTED');
});

test('account facts and picture are refreshed daily', async () => {
  const id = await connect();
  await world.db.execute('update account set due_at = null where id <> $1', [id]);
  const before = await world.account(id);
  expect(await world.accounts.loops.facts.runOnce()).toBe(0);
  await world.db.clock.advance(27 * 3_600_000);
  Object.assign(world.toy.settings, { displayName: 'Nora 2', audiences: ['ME'], maxLength: 70 });
  expect(await world.accounts.loops.facts.runOnce()).toBe(1);
  const after = await world.account(id);
  expect(after).toMatchObject({
    display_name: 'Nora 2',
    choice_values: { audience: [{ value: 'ME', label: 'To ME' }] },
    capabilities: { caption: { maxLength: 70 } },
    avatar: before.avatar,
    attempts: 0,
  });
  world.toy.settings.avatar = { status: 200, body: Buffer.from([0xff, 0xd8, 0xff, 9]) };
  await world.db.clock.advance(27 * 3_600_000);
  expect(await world.accounts.loops.facts.runOnce()).toBe(1);
  const changed = await world.account(id);
  expect(changed.avatar).toMatch(/\.jpg$/);
  const removals = await world.db.query('select storage_key from file_removal where due_at <= app_now()');
  expect(removals).toContainEqual({ storage_key: `pictures/${before.avatar}` });
  expect(await world.storage.size(`pictures/${changed.avatar}`)).toBe(4);
});

test('a failed read of account facts is retried', async () => {
  const id = await connect();
  await world.db.execute('update account set due_at = null where id <> $1', [id]);
  world.simulator.faults.add({
    when: ({ path }) => path === '/me',
    times: 1,
    fault: { kind: 'garbage', acted: false },
  });
  await world.db.clock.advance(27 * 3_600_000);
  await world.accounts.loops.facts.runOnce();
  expect(await world.account(id)).toMatchObject({ status: 'CONNECTED', display_name: 'Nora', attempts: 1 });
  await world.db.clock.advance(3_600_000);
  expect(await world.accounts.loops.facts.runOnce()).toBe(1);
  expect(await world.account(id)).toMatchObject({ attempts: 0 });
});
