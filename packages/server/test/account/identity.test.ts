/**
 * Tests that a server named by a user is authoritative only for itself: it shares nothing with accounts of other users.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { identityService } from '../../src/accounts/account-store.ts';
import { pictureGuard } from '../../src/accounts/profile/avatar.ts';
import type { AccountFacts } from '../../src/connectors/contract.ts';
import { connectors } from '../../src/connectors/registry.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { startTelegram, type Telegram } from '../connectors/telegram-driver.ts';
import { type SessionUser, startService, type TestService } from '../harness/service.ts';

let real: Telegram;
let hostile: Telegram;
let service: TestService;
beforeAll(async () => {
  [real, hostile] = await Promise.all([startTelegram({ storage: false }), startTelegram({ storage: false })]);
  const hosts = [real, hostile].map(({ url }) => new URL(url).host);
  service = await startService({
    config: { sandbox: false, allowedPrivateHosts: hosts, settings: { telegram: { apiUrl: real.url } } },
  });
});
afterAll(async () => {
  await service.close();
  await Promise.all([real.close(), hostile.close()]);
});

async function connect(user: SessionUser, { channel, token }: Telegram, more: Record<string, string> = {}) {
  const json = { platform: 'telegram', identifier: channel, secret: token, ...more };
  const { status, body } = await user.post('/accounts/connect', json);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.accounts[0].id as string;
}

const stored = async (accountId: string) =>
  (
    await service.db.query<{ id: string; identity: string; service: string; remoteId: string }>(
      `select a.id, i.id as identity, i.service, i.remote_id as "remoteId"
       from account a join identity i on i.id = a.identity_id where a.id = $1`,
      [accountId],
    )
  )[0];

test("a user's own server does not share the real channel", async () => {
  const victim = await stored(await connect(await service.newSession(), real));
  const forged = await stored(await connect(await service.newSession(), hostile, { service: hostile.url }));
  expect(forged?.remoteId).toBe(victim?.remoteId);
  expect(victim?.service).toBe('');
  expect(forged?.service).toBe(new URL(hostile.url).origin);
  expect(forged?.identity).not.toBe(victim?.identity);
});

test("users of the platform's own server share an identity", async () => {
  const one = await stored(await connect(await service.newSession(), real));
  const two = await stored(await connect(await service.newSession(), real, { service: real.url }));
  expect(two?.identity).toBe(one?.identity);
});

test('an account cannot be reconnected through another server', async () => {
  const user = await service.newSession();
  const account = await connect(user, real);
  const { channel: identifier, token: secret, url } = hostile;
  const json = { platform: 'telegram', identifier, secret, service: url, account };
  const { status, body } = await user.post('/accounts/connect', json);
  expect([status, body.code]).toEqual([422, 'connect_failed']);
  expect(body.message).toContain('the account to reconnect is');
});

const facts = (more: Partial<AccountFacts>) => ({ remoteId: '1', ...more }) as AccountFacts;

test.each([
  ['', undefined, false, ''],
  ['https://a.example', undefined, false, 'https://a.example'],
  ['https://a.example/below/x', undefined, false, 'https://a.example'],
  ['https://a.example', true, false, ''],
  ['https://a.example', true, true, 'sandbox:'],
  ['https://a.example', undefined, true, 'sandbox:'],
])('identity of "%s", global %s, sandbox %s: "%s"', (server, globalId, sandbox, key) => {
  expect(identityService(facts({ globalId }), server, sandbox)).toBe(key);
});

test("private pictures are fetched only from the account's server", () => {
  const guard = createAddressGuard(['mastodon.lan', 'bot-api'], []);
  const service = 'http://mastodon.lan';
  const refusal = (url: string, from: string, sandbox = false) =>
    pictureGuard(guard, { service: from, sandbox }).refuse(new URL(url));
  const allows = (url: string, from: string) =>
    pictureGuard(guard, { service: from, sandbox: false }).allows(new URL(url), '10.0.0.5');
  expect([refusal(`${service}/a.png`, service), allows(`${service}/a.png`, service)]).toEqual([null, true]);
  for (const from of [service, '', 'https://evil.example'])
    expect([refusal('http://bot-api/a.png', from), allows('https://bot-api/a.png', from)]).toEqual([
      'not_https',
      false,
    ]);
  expect(refusal('https://cdn.example/a.png', '')).toBeNull();
});

test('the catalog lists platforms that accept a server', () => {
  const takeServers = Object.values(connectors).filter(
    ({ federated, oauth, credentials }) =>
      federated || [...(oauth?.asks ?? []), ...(credentials?.fields ?? [])].some(({ name }) => name === 'service'),
  );
  // Each has a test that a server cannot claim the account of another one.
  expect(takeServers.map(({ id }) => id).sort()).toEqual(['bluesky', 'mastodon', 'telegram']);
});
