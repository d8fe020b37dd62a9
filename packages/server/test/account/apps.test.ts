import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { simulator as tiktokSimulator } from '@reelay/sandbox/platforms/tiktok/index.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApps } from '../../src/accounts/apps/app-store.ts';
import { type appNamesOf, reachProblem, setupOf } from '../../src/accounts/apps/platform-setup.ts';
import { createSealer } from '../../src/lib/encryption/seal.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { createHttp } from '../../src/outbound/http-client.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type SessionUser, startService, type TestService } from '../harness/service.ts';
import { startSimulator } from '../harness/simulator.ts';

const app = { clientId: 'the id', clientSecret: 'the secret half' };
const key = randomBytes(32);

describe('applications', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(() => db.drop());
  const node = (given = {}, sealedBy = key) => createApps({ db, sealer: createSealer([sealedBy]) }, given);

  test('other nodes find or forget stored applications after a refresh', async () => {
    const [one, other] = [node(), node()];
    await one.put('tiktok', app);
    expect([one.find('tiktok'), one.source('tiktok')]).toEqual([app, 'stored']);
    expect(other.find('tiktok')).toBeNull();
    await other.refresh();
    expect(other.find('tiktok')).toEqual(app);
    expect(await one.remove('tiktok')).toBe(true);
    expect(await one.remove('tiktok')).toBe(false);
    await other.refresh();
    expect([other.find('tiktok'), other.source('tiktok')]).toEqual([null, null]);
  });

  test('the environment overrides stored applications; half is ignored', async () => {
    const given = node({ tiktok: { id: 'of the environment', secret: 's' }, google: { id: 'half' } });
    await given.put('tiktok', app);
    expect([given.find('tiktok')?.clientId, given.source('tiktok')]).toEqual(['of the environment', 'environment']);
    expect([given.find('google'), given.find('constructor'), given.find('__proto__')]).toEqual([null, null, null]);
    await given.remove('tiktok');
  });

  test('are encrypted, and missing if the key is lost', async () => {
    await node().put('tiktok', app);
    const [row] = await db.query<{ sealed: Buffer }>(`select sealed from platform_app where service like 'operator %'`);
    expect(row?.sealed.includes('the secret half')).toBe(false);
    const stranger = node({}, randomBytes(32));
    await stranger.refresh();
    expect(stranger.find('tiktok')).toBeNull();
  });
});

test('the required set-up is derived from the connector', () => {
  const oauth = { needsApp: true, scopes: ['post'] } as unknown as NonNullable<
    Parameters<typeof appNamesOf>[0]['oauth']
  >;
  const of = (more: object, publicUrl = 'https://reelay.example.org') =>
    setupOf(
      { id: 'toy', name: 'Toy', oauth: { ...oauth, ...more } },
      { apps: { source: (name) => (name === 'two' ? 'stored' : null) }, publicUrl },
    );
  expect(of({})).toMatchObject({
    by: 'consent',
    configured: false,
    applications: [{ name: 'toy', source: null, variables: ['TOY_CLIENT_ID', 'TOY_CLIENT_SECRET'] }],
    redirectUri: 'https://reelay.example.org/oauth/toy/callback',
    scopes: ['post'],
  });
  const spelled = (more: object) => of(more).applications[0]?.variables;
  expect(spelled({ appIdVariable: 'APP_ID' })).toEqual(['TOY_APP_ID', 'TOY_APP_SECRET']);
  expect(spelled({ appIdVariable: 'CLIENT_KEY' })).toEqual(['TOY_CLIENT_KEY', 'TOY_CLIENT_SECRET']);
  expect(of({ appName: 'two' }).configured).toBe(true);
  expect(of({ appNames: ['one', 'two'] })).toMatchObject({
    configured: true,
    applications: [{}, { source: 'stored' }],
  });
  expect(of({ needsApp: false })).toMatchObject({ configured: true, applications: [] });
  const login = setupOf(
    { id: 'toy', name: 'Toy', oauth: null },
    { apps: { source: () => null }, publicUrl: 'http://a' },
  );
  expect(login).toMatchObject({ by: 'login', configured: true, redirectUri: null });
  const fetching = { id: 'toy', name: 'Toy', oauth, fetchesMedia: true };
  const apps = { source: () => null };
  expect(setupOf(fetching, { apps, publicUrl: 'http://localhost:3000' }).problem?.text).toMatch(
    /^Toy downloads videos/,
  );
  expect(setupOf(fetching, { apps, publicUrl: 'https://reelay.example.org' }).problem).toBeNull();
});

test('the check probes each host of a platform', async () => {
  const server = createServer((_request, response) => response.writeHead(404).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const http = createHttp({ guard: createAddressGuard([], [here]) });
  expect(await reachProblem({ name: 'Toy', endpoints: { api: `${here}/v1`, web: here } }, http.request)).toBeNull();
  // Neither a private address nor a host of another party is contacted.
  const away = { name: 'Toy', endpoints: { api: here, upload: 'https://127.0.0.1:1/upload' } };
  expect((await reachProblem(away, http.request))?.text).toMatch(/^Toy cannot be reached at 127\.0\.0\.1:1 \(/);
  http.close();
  await new Promise((resolve) => server.close(resolve));
});

describe('the operator', () => {
  let service: TestService;
  let operator: SessionUser;
  let user: SessionUser;
  beforeAll(async () => {
    service = await startService({ config: { role: 'api' } });
    operator = await service.newSession();
    await service.db.execute('update auth."user" set operator = id = $1', [operator.userId]);
    user = await service.newSession();
  });
  afterAll(() => service.close());
  const tiktok = async () =>
    (await operator.get('/platform/setup')).body.data.find((each: { platform: string }) => each.platform === 'tiktok');

  test('sets and removes an application, whose secret stays hidden', async () => {
    expect(await tiktok()).toMatchObject({ configured: false, applications: [{ name: 'tiktok', source: null }] });
    expect((await operator.call('PUT', '/platform/setup/tiktok', { json: app })).status).toBe(200);
    expect(await tiktok()).toMatchObject({ configured: true, applications: [{ source: 'stored' }] });
    expect((await operator.get('/platform/setup')).bytes.includes('the secret half')).toBe(false);
    expect(JSON.stringify(service.logged)).not.toContain('the secret half');
    expect((await operator.call('DELETE', '/platform/setup/tiktok')).status).toBe(200);
    expect((await operator.call('DELETE', '/platform/setup/tiktok')).status).toBe(404);
    expect(await tiktok()).toMatchObject({ configured: false });
  });

  test('sees whether the platform accepts an application', async () => {
    const simulator = await startSimulator(tiktokSimulator);
    const { host } = new URL(simulator.url);
    const settings = { tiktok: { apiUrl: simulator.url, wwwUrl: simulator.url, uploadUrl: simulator.url } };
    const other = await startService({ config: { role: 'api', allowedPrivateHosts: [host], settings } });
    const owner = await other.newSession();
    await other.db.execute('update auth."user" set operator = id = $1', [owner.userId]);
    const setup = async (clientSecret: string) => {
      await owner.call('PUT', '/platform/setup/tiktok', { json: { clientId: 'sandbox-client', clientSecret } });
      const { body } = await owner.get('/platform/setup?check=true');
      return body.data.find((each: { platform: string }) => each.platform === 'tiktok');
    };
    expect(await setup('sandbox-secret')).toMatchObject({
      applications: [{ scopes: expect.arrayContaining(['video.publish']), check: { verdict: 'verified' } }],
      problem: null,
    });
    const rejected = expect.stringMatching(/^TikTok rejects the id or the secret: .*invalid_client/);
    expect(await setup('another secret')).toMatchObject({
      applications: [{ check: { verdict: 'rejected', message: rejected } }],
      problem: rejected,
    });
    expect(JSON.stringify(other.logged)).not.toContain('another secret');
    await other.close();
    await simulator.close();
  });

  test('gets errors with known names and missing fields', async () => {
    const unknown = await operator.call('PUT', '/platform/setup/nonsense', { json: app });
    expect([unknown.status, unknown.body.message]).toEqual([404, expect.stringContaining('Known: ')]);
    const half = await operator.call('PUT', '/platform/setup/tiktok', { json: { clientId: 'a' } });
    expect([half.status, half.body.code]).toEqual([400, 'invalid_request']);
  });

  test('reads applications by key, and changes them by session only', async () => {
    const key = (await operator.post('/user/api-key/generate')).body.data;
    const client = service.clientWith({ authorization: `Bearer ${key}` });
    expect((await client.get('/platform/setup')).status).toBe(200);
    const required = { status: 403, body: { code: 'session_required' } };
    expect(await client.call('PUT', '/platform/setup/tiktok', { json: app })).toMatchObject(required);
    expect(await client.call('DELETE', '/platform/setup/tiktok')).toMatchObject(required);
    expect(await tiktok()).toMatchObject({ configured: false });
  });

  test('other users are rejected, by session and by key', async () => {
    const withKey = await service.newUser();
    for (const [method, path] of [
      ['GET', '/platform/setup'],
      ['PUT', '/platform/setup/tiktok'],
      ['DELETE', '/platform/setup/tiktok'],
    ] as const) {
      const json = method === 'PUT' ? app : undefined;
      const codes = await Promise.all(
        [user, withKey].map(async (caller) => (await caller.call(method, path, { json })).body.code),
      );
      expect(codes).toEqual(['operator_required', method === 'GET' ? 'operator_required' : 'session_required']);
      expect((await service.client.call(method, path, { json })).status).toBe(401);
    }
  });
});
