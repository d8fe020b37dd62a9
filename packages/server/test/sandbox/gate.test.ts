/** Who may use the simulators of a service that others can reach. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesBelow, createQuota, SandboxFull } from '@reelay/sandbox/store/quota.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOwnRedirect, passHeaders } from '../../src/sandbox/access-gate.ts';
import { type SessionUser, startService, type TestService, type TestUser } from '../harness/service.ts';

const PUBLIC_URL = 'https://reelay.invalid';
const PROXIED = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' };

let service: TestService;
let operator: TestUser;
let user: SessionUser;
beforeAll(async () => {
  service = await startService({ config: { publicUrl: PUBLIC_URL, httpsOnly: true, sandbox: true } });
  operator = await service.newUser();
  const { userId, email } = await service.newUser();
  user = { ...operator, userId, email, password: '', cookie: '', bare: operator };
});
afterAll(() => service.close());

const ask = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(`${service.url}/sandbox/${path}`, { redirect: 'manual', ...init, headers: { ...PROXIED, ...headers } });

test('strangers reach neither pages nor APIs of simulators', async () => {
  const register = { client_name: 'Other', redirect_uris: 'https://other.example/back', scopes: 'read write' };
  const asked: [string, RequestInit][] = [
    ['tiktok/v2/auth/authorize/', {}],
    ['mastodon/oauth/authorize', {}],
    ['mastodon/api/v1/apps', { method: 'POST', body: new URLSearchParams(register) }],
    ['bluesky/xrpc/com.atproto.repo.uploadBlob', { method: 'POST', body: Buffer.alloc(100_000) }],
    ['bluesky/profile/nobody/post/nothing', {}],
  ];
  for (const [path, init] of asked) expect((await ask(path, {}, init)).status, path).toBe(401);
  expect((await ask(asked[0]?.[0] ?? '', { authorization: `Bearer ${operator.key}` })).status).toBe(400);
  // A proxy on this machine may add no header at all: nothing that comes in counts as local.
  const bare = await fetch(`${service.url}/sandbox/feed.json`, { headers: { 'x-forwarded-proto': 'https' } });
  expect(bare.status).toBe(401);
});

test('processes of this service are let in', async () => {
  const pass = passHeaders(service.context.secrets.links);
  expect((await ask('mastodon/api/v1/instance', pass)).status).toBe(200);
  const wrong = Object.fromEntries(Object.entries(pass).map(([name, value]) => [name, `${value.slice(1)}x`]));
  expect((await ask('mastodon/api/v1/instance', wrong)).status).toBe(401);
  expect((await ask('feed.json', pass)).status).toBe(401);
});

test.each([
  ['an API', 'mastodon/api/v1/instance', 200],
  ['a WebSocket', 'mastodon/api/v1/instance', 404],
  ['the feed', 'feed.json', 401],
])('the inner listener asks for the pass: %s', async (kind, path, status) => {
  const pass = passHeaders(service.context.secrets.links);
  const upgrade = kind === 'a WebSocket' ? { connection: 'Upgrade', upgrade: 'websocket' } : {};
  const statusWith = (headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const port = service.context.sandbox?.access.door;
      const sent = request({ host: '127.0.0.1', port, path: `/sandbox/${path}`, headers: { ...upgrade, ...headers } });
      sent.on('response', (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.on('error', reject);
      sent.end();
    });
  const wrong = Object.fromEntries(Object.entries(pass).map(([name, value]) => [name, `${value.slice(1)}x`]));
  expect(await statusWith({})).toBe(401);
  expect(await statusWith(wrong)).toBe(401);
  expect(await statusWith({ host: 'evil.example' })).toBe(401);
  expect(await statusWith(pass)).toBe(status);
});

test('a consent’s browser sees that platform’s consent only', async () => {
  const { accounts } = service.context;
  const request = { userId: user.userId, platform: 'tiktok', sandbox: true, actor: 'command line' };
  const { url } = await accounts.startConnect(request);
  const ticket = new URL(url ?? '').searchParams.get('ticket') ?? '';
  const step = await accounts.startConsent({ platform: 'tiktok', ticket, browser: null, signedIn: null });
  if (step.then !== 'redirect') throw new Error('No redirect.');
  const { pathname, search } = new URL(step.url);
  const page = pathname.slice('/sandbox/'.length) + search;
  const cookie = `__Host-reelay_connect=${step.browser}`;
  const shown = await ask(page, { cookie });
  expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('<form')]);
  expect((await ask(page)).status).toBe(401);
  expect((await ask(page, { cookie: cookie.replace('__Host-', '') })).status).toBe(401);
  expect((await ask('mastodon/oauth/authorize', { cookie })).status).toBe(401);
  for (const other of ['tiktok/@nora', 'tiktok/@nora/video/1', 'tiktok/v2/auth/authorize/x', 'tiktok'])
    expect((await ask(other, { cookie })).status, other).toBe(401);
  expect((await ask('feed.json', { cookie })).status).toBe(401);
  const allow = { method: 'POST', body: new URLSearchParams({ username: 'nora', decision: 'allow' }) };
  const back = await ask(page, { cookie }, allow);
  expect([back.status, back.headers.get('location')]).toEqual([302, expect.stringContaining(`${PUBLIC_URL}/oauth/`)]);
  const upload = { method: 'POST', body: Buffer.alloc(10) };
  expect((await ask('tiktok/v2/post/publish/video/init/', { cookie }, upload)).status).toBe(401);
});

test('a simulator redirects to addresses of the service only', async () => {
  const page = (to: string) => {
    const query = { client_id: 'sandbox-client', response_type: 'code', state: 'x', redirect_uri: to };
    const pkce = { code_challenge: 'a'.repeat(43), code_challenge_method: 'S256', scope: 'tweet.read users.read' };
    return `x/i/oauth2/authorize?${new URLSearchParams({ ...query, ...pkce })}`;
  };
  const authorization = `Bearer ${operator.key}`;
  const decide = (to: string) =>
    ask(
      page(to),
      { authorization },
      { method: 'POST', body: new URLSearchParams({ username: 'n', decision: 'deny' }) },
    );
  expect((await decide(`${PUBLIC_URL}/oauth/x/callback`)).status).toBe(302);
  const refused = await decide('https://evil.example/collect');
  expect([refused.status, refused.headers.get('location')]).toEqual([400, null]);
});

test.each([
  ['https://reelay.invalid', '0.0.0.0', 'https://reelay.invalid/oauth/x/callback', true],
  ['https://reelay.invalid', '0.0.0.0', '/oauth/x/callback', true],
  ['https://reelay.invalid', '127.0.0.1', 'https://reelay.invalid.evil.example/', false],
  ['https://reelay.invalid', '127.0.0.1', 'http://localhost:3000/', false],
  ['http://localhost:3000', '127.0.0.1', 'http://127.0.0.1:3000/oauth/x/callback', true],
  ['http://localhost:3000', '0.0.0.0', 'http://127.0.0.1:9/', false],
  ['http://localhost:3000', '127.0.0.1', 'https://evil.example/', false],
  ['http://localhost:3000', '127.0.0.1', 'javascript:alert(1)', false],
])('service %s on %s redirects to %s: %s', (publicUrl, host, location, allowed) => {
  expect(isOwnRedirect({ publicUrl, listen: { host, port: 1, tls: null } }, location)).toBe(allowed);
});

test.each(['x/i/oauth2/authorize', 'tiktok/v2/auth/authorize/', 'bluesky/profile/nobody/post/nothing'])(
  'the strict policy stays on pages of simulators: %s',
  async (path) => {
    const { headers } = await ask(path, { authorization: `Bearer ${operator.key}` });
    const policy = headers.get('content-security-policy') ?? '';
    for (const part of ["frame-ancestors 'none'", 'sandbox allow-forms', "form-action 'self'", "base-uri 'none'"])
      expect(policy).toContain(part);
  },
);

test.each(['mastodon/@nobody/1', 'x/no/such/path', 'tiktok/@nobody/video/1', 'feed', 'media/tiktok/nothing'])(
  'an unknown page has an uncached body: %s',
  async (path) => {
    const response = await ask(path, { authorization: `Bearer ${operator.key}` });
    expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store']);
    expect(await response.text()).not.toBe('');
  },
);

describe('the quota', () => {
  const quota = (kept: number, free: number | null = null, clock = { at: 0 }) =>
    createQuota({
      maxBytes: 100,
      leastFreeBytes: 10,
      measure: async () => kept,
      free: async () => free,
      now: () => clock.at,
    });

  test('refuses bytes beyond the limit', async () => {
    await expect(quota(100).assertRoom()).rejects.toThrow(SandboxFull);
    const some = quota(60);
    await some.assertRoom();
    some.add(39);
    expect(() => some.add(1)).toThrow(SandboxFull);
  });

  test('counts a disk that runs full', async () => {
    await expect(quota(0, 10).assertRoom()).rejects.toThrow(SandboxFull);
    const some = quota(0, 30);
    await some.assertRoom();
    expect(() => some.add(20)).toThrow(SandboxFull);
  });

  test('measures again, so that removed files make room', async () => {
    const clock = { at: 0 };
    let kept = 100;
    const some = createQuota({
      maxBytes: 100,
      leastFreeBytes: 0,
      measure: async () => kept,
      free: async () => null,
      now: () => clock.at,
    });
    await expect(some.assertRoom()).rejects.toThrow(SandboxFull);
    kept = 0;
    clock.at = 10_000;
    await some.assertRoom();
  });

  test('measures files in folders', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'reelay-quota-'));
    await writeFile(join(folder, 'a'), 'abc');
    expect(await bytesBelow(folder)).toBe(3);
    await rm(folder, { recursive: true });
    expect(await bytesBelow(folder)).toBe(0);
  });
});

test('a full simulator answers 507', async () => {
  const { config, secrets, storage, db, log, signIn } = service.context;
  const { openSandbox } = await import('../../src/sandbox/open.ts');
  const sandbox = await openSandbox({
    ...{ db, storage, log, signIn, publicUrl: PUBLIC_URL, listen: config.listen, serves: true, maxBytes: 50_000 },
    ...{ linkKey: secrets.links, storageFolder: config.storageFolder, leastFreeBytes: 0 },
  });
  try {
    const at = `http://127.0.0.1:${sandbox.access.door}/sandbox/bluesky/xrpc`;
    const { credentials } = await sandbox.access.enrol('bluesky', 'filler');
    const login = { identifier: credentials?.identifier, password: credentials?.secret };
    const pass = passHeaders(secrets.links);
    const json = { ...pass, 'content-type': 'application/json' };
    const session = await fetch(`${at}/com.atproto.server.createSession`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify(login),
    });
    const { accessJwt } = (await session.json()) as { accessJwt: string };
    const upload = (bytes: number) =>
      fetch(`${at}/com.atproto.repo.uploadBlob`, {
        method: 'POST',
        headers: { ...pass, authorization: `Bearer ${accessJwt}`, 'content-type': 'video/mp4' },
        body: Buffer.alloc(bytes, 1),
      });
    expect((await upload(30_000)).status).toBe(200);
    expect((await upload(30_001)).status).toBe(507);
    expect((await upload(1)).status).toBe(507);
  } finally {
    await sandbox.stop();
  }
});
