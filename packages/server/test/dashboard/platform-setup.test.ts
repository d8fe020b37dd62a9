import { simulator as pinterest } from '@reelay/sandbox/platforms/pinterest/index.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appNamesOf } from '../../src/accounts/apps/platform-setup.ts';
import { setupWarnings } from '../../src/accounts/apps/setup-warnings.ts';
import { connectors } from '../../src/connectors/registry.ts';
import { type SessionUser, startService, type TestService } from '../harness/service.ts';
import { type RunningSimulator, startSimulator } from '../harness/simulator.ts';
import { addReadyAccount, queuePost } from '../post/world.ts';

const RIGHT = { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' };
const WRONG = { clientId: 'sandbox-client', clientSecret: 'another secret' };

let simulator: RunningSimulator;
let service: TestService;
let operator: SessionUser;
let user: SessionUser;
beforeAll(async () => {
  simulator = await startSimulator(pinterest);
  const settings = { pinterest: { apiUrl: simulator.url, wwwUrl: simulator.url } };
  const allowedPrivateHosts = [new URL(simulator.url).host];
  service = await startService({ config: { role: 'api', allowedPrivateHosts, settings } });
  operator = await service.newSession();
  user = await service.newSession();
});
afterAll(async () => {
  await service.close();
  await simulator.close();
});

const guide = async (platform = 'pinterest') => (await operator.get(`/operator/setup/${platform}`)).body.data;
const check = (application: object | null, name = 'pinterest') =>
  operator.post(`/operator/setup/pinterest/${name}/check`, { application });

describe('the operator', () => {
  test('gets steps, redirect URL and scopes in both languages', async () => {
    const { redirectUri, portal, applications } = await guide();
    expect(redirectUri).toBe(`${service.context.config.publicUrl}/oauth/pinterest/callback`);
    expect(portal).toMatch(/^https:/);
    const [{ guide: found, scopes, source }] = applications;
    expect([source, scopes]).toEqual([null, expect.arrayContaining(['pins:write'])]);
    for (const text of [...found.steps, found.id, found.secret, found.review, found.before])
      expect(text).toEqual({ en: expect.any(String), de: expect.any(String) });
  });

  test('tests an application before it is stored', async () => {
    expect((await check(RIGHT)).body.data).toMatchObject({ verdict: 'verified' });
    const rejected = (await check(WRONG)).body.data;
    expect(rejected).toEqual({ verdict: 'rejected', message: expect.stringMatching(/^Pinterest rejects/) });
    expect((await guide()).applications[0].source).toBeNull();
    expect(JSON.stringify(service.logged)).not.toContain('another secret');
  });

  test('tests the stored application', async () => {
    expect(await check(null)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    await operator.call('PUT', '/platform/setup/pinterest', { json: RIGHT });
    expect((await check(null)).body.data.verdict).toBe('verified');
    expect(JSON.stringify(await guide())).not.toContain(RIGHT.clientSecret);
    await operator.call('DELETE', '/platform/setup/pinterest');
  });

  test('every test is in the audit log', async () => {
    await check(WRONG);
    const [entry] = (await operator.get('/operator/audit')).body.data;
    expect(entry).toMatchObject({ action: 'application.check', subject: 'pinterest', actor: 'session' });
  });

  test('a test needs a known application and the CSRF header', async () => {
    expect((await check(RIGHT, 'nonsense')).status).toBe(404);
    expect((await operator.get('/operator/setup/nonsense')).status).toBe(400);
    const path = '/operator/setup/pinterest/pinterest/check';
    expect(await operator.bare.post(path, { application: RIGHT })).toMatchObject({
      status: 403,
      body: { code: 'csrf_required' },
    });
    expect(await operator.bare.call('PUT', '/platform/setup/pinterest', { json: RIGHT })).toMatchObject({
      status: 403,
      body: { code: 'csrf_required' },
    });
  });

  test('sees what stops working without an application', async () => {
    const account = await addReadyAccount(service.db, user.userId);
    await queuePost(service, user.userId, [account], { at: Date.now() + 3_600_000 });
    await service.db.execute(`update account set platform = 'pinterest', sandbox = false where id = $1`, [account.id]);
    const [{ use, alsoFor }] = (await guide()).applications;
    expect(use).toEqual({ accounts: 1, posts: 1, isExact: true });
    expect(alsoFor).toEqual([]);
    const [, facebook] = (await guide('instagram')).applications;
    expect(facebook).toMatchObject({ name: 'facebook', alsoFor: ['Facebook'] });
  });
});

test('users and their keys cannot change applications', async () => {
  const key = (await user.post('/user/api-key/generate')).body.data;
  const callers = [user, service.clientWith({ authorization: `Bearer ${key}` })];
  for (const caller of callers) {
    expect(await caller.call('PUT', '/platform/setup/pinterest', { json: RIGHT })).toMatchObject({ status: 403 });
    expect(await caller.call('DELETE', '/platform/setup/pinterest')).toMatchObject({ status: 403 });
    expect(await caller.get('/operator/setup/pinterest')).toMatchObject({ status: 403 });
  }
});

const withApplications = Object.values(connectors).filter((connector) => appNamesOf(connector).length > 0);

test.each(withApplications)('$name has a guide for each application', (connector) => {
  expect(Object.keys(connector.registration?.guides ?? {})).toEqual(appNamesOf(connector));
});

test.each([
  ['https', 'https://reelay.example.org', []],
  ['https', 'http://localhost:3000', ['redirect_https']],
  ['https', 'https://localhost:3000', ['redirect_https']],
  ['https-or-loopback', 'http://127.0.0.1:3000', []],
  ['https-or-loopback', 'http://reelay.example.org', ['redirect_https']],
  ['no-localhost', 'http://localhost:3000', ['redirect_localhost']],
  ['no-localhost', 'http://127.0.0.1:3000', []],
] as const)('the rule %s warns for %s of %j', (redirect, publicUrl, warnings) => {
  const registration = { portal: '', review: '', redirect };
  expect(setupWarnings({ registration }, publicUrl)).toEqual(warnings);
});

test('the set-up warns if videos cannot be fetched', () => {
  expect(setupWarnings({ fetchesMedia: true }, 'http://localhost:3000')).toEqual(['media_private']);
  expect(setupWarnings({ fetchesMedia: true }, 'https://reelay.example.org')).toEqual([]);
});
