/** Users name servers, and each of them gets a registration that is stored. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_ATTEMPTS } from '../../src/accounts/connect/attempt-store.ts';
import { DAY, MINUTE, SECOND } from '../../src/lib/time.ts';
import { type AccountWorld, createAccountWorld } from './world.ts';

let world: AccountWorld;
let accounts: AccountWorld['accounts'];
beforeAll(async () => {
  world = await createAccountWorld();
  accounts = world.node({
    connectors: { toy: { ...world.toy.connector, federated: true } },
    apps: { find: () => ({ clientId: 'app', clientSecret: 'secret' }) },
  });
});
afterAll(() => world.close());

const name = (userId: string, service: string) =>
  accounts.startConnect({ userId, platform: 'toy', service, actor: 'session', choices: { audience: 'ALL' } });

test('a user names at most 50 different servers a day', async () => {
  const userId = await world.newUser();
  for (let server = 0; server < 50; server++) await name(userId, `s${server}.example`);
  const error = await name(userId, 's50.example').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'rate_limited', status: 429, extras: { retryAfter: expect.any(Number) } });
  const { retryAfter } = (error as { extras: { retryAfter: number } }).extras;
  expect(retryAfter * SECOND).toBeGreaterThan(DAY - MINUTE);
  // A known server can be named again, and other users name theirs.
  await name(userId, 's7.example');
  await name(await world.newUser(), 's50.example');
  await world.db.clock.advance((retryAfter + 1) * SECOND);
  await name(userId, 's50.example');
});

test('attempts that are deleted still count their servers', async () => {
  const userId = await world.newUser();
  for (let server = 0; server < 50; server++) await name(userId, `s${server}.example`);
  for (let times = 0; times < MAX_ATTEMPTS; times++) await name(userId, 's0.example');
  await expect(name(userId, 's50.example')).rejects.toMatchObject({ code: 'rate_limited' });
});

test('concurrent requests name at most 50 servers', async () => {
  const userId = await world.newUser();
  const servers = Array.from({ length: 60 }, (_, server) => `s${server}.example`);
  const results = await Promise.allSettled([...servers, ...servers].map((server) => name(userId, server)));
  const named = new Set(results.flatMap(({ status }, index) => (status === 'fulfilled' ? [index % 60] : [])));
  expect(named.size).toBe(50);
});
