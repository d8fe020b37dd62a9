import { afterAll, beforeAll, expect, test } from 'vitest';
import { homeOf } from '../../src/api/account/consent-pages.ts';
import { connectors } from '../../src/connectors/registry.ts';
import { type SessionUser, startService, type TestService } from '../harness/service.ts';
import { createBrowser } from './browser.ts';

let service: TestService;
let user: SessionUser;
beforeAll(async () => {
  service = await startService();
  user = await service.newSession();
});
afterAll(() => service.close());

async function begin(platform: string, more: Record<string, unknown> = {}): Promise<string> {
  const answer = await user.post('/accounts/connect', { platform, sandbox: true, ...more });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.url;
}

const withConsent = Object.values(connectors).filter((connector) => connector.oauth);

test.each(withConsent.map((each) => each.id))(
  '%s is connected in the sandbox by its consent page',
  async (platform) => {
    const browser = createBrowser();
    const page = await browser.open(await begin(platform));
    expect(page.html).toContain('<form');
    let done = await page.submit({ username: 'nora', decision: 'allow' });
    const asked = /<select name="([^"]+)"><option value="">later<\/option><option value="([^"]+)">/.exec(done.html);
    if (asked) {
      expect(connectors[platform]?.choices.filter(({ required }) => required)).toHaveLength(1);
      done = await done.submit({ [asked[1] ?? '']: asked[2] ?? '' });
      expect(done.html).not.toContain('has to choose');
    }
    expect(done.html).toContain('is connected');
    expect(done.status).toBe(200);
    const { body } = await user.get('/platform/platforms');
    expect(body.data).toContainEqual(expect.objectContaining({ platform, status: 'CONNECTED', sandbox: true }));
  },
);

test.each(withConsent.map((each) => each.id))(
  '%s: saying no on its page connects nothing and says so kindly',
  async (platform) => {
    const before = (await user.get('/platform/platforms')).body.data.length;
    const page = await createBrowser().open(await begin(platform));
    const done = await page.submit({ username: 'mallory', decision: 'deny' });
    expect(done).toMatchObject({ status: 200, html: expect.stringContaining('Nothing was connected') });
    expect((await user.get('/platform/platforms')).body.data).toHaveLength(before);
  },
);

test.each(Object.keys(connectors))(
  '%s is connected in the sandbox by name alone, and its session is usable',
  async (platform) => {
    const { accounts } = service.context;
    const request = { userId: user.userId, platform, username: 'byname', privacy: 'public', actor: 'command line' };
    const [account] = await accounts.connectSandbox(request);
    expect(account).toMatchObject({ platform, notes: [] });
    expect((await accounts.connectSandbox(request))[0]).toMatchObject({ id: account?.id, again: true });
    const outcome = await accounts.sessions.session(account?.id ?? '', { minLifeMs: 60_000, spend: async () => {} });
    expect(outcome).toMatchObject({ ok: true, open: { session: { sandbox: true, username: account?.username } } });
    const [stored] = await accounts.load([account?.id ?? '']);
    expect(stored?.capabilities.video.maxBytes).toBeGreaterThan(0);
    await service.db.execute('update account set due_at = app_now() where id = $1', [account?.id]);
    await accounts.loops.facts.runOnce();
    await expect
      .poll(
        async () =>
          (
            await service.db.query('select attempts from account where id = $1 and due_at > app_now()', [account?.id])
          )[0],
      )
      .toEqual({ attempts: 0 });
  },
);

test.each(Object.keys(connectors))('%s: its tokens can be refreshed', async (platform) => {
  const { accounts } = service.context;
  const [account] = await accounts.connectSandbox({
    userId: user.userId,
    platform,
    username: 'fresh',
    privacy: 'public',
    actor: 'x',
  });
  const [stored] = await accounts.load([account?.id ?? '']);
  const grantId = stored?.grantId ?? '';
  const before = await accounts.grants.freshSecret(grantId, { minLifeMs: 0 });
  if (!before.ok || before.fresh.lifetimeLeftMs === null) return expect(before).toMatchObject({ ok: true });
  const after = await accounts.grants.freshSecret(grantId, { minLifeMs: before.fresh.lifetimeLeftMs + 1 });
  expect(after).toMatchObject({ ok: true, fresh: { version: 2 } });
  expect(
    await accounts.sessions.session(account?.id ?? '', { minLifeMs: 60_000, spend: async () => {} }),
  ).toMatchObject({ ok: true });
});

test('a session is needed, its header against forged requests too, and a key does not do', async () => {
  const json = { platform: 'tiktok', sandbox: true };
  expect((await service.client.post('/accounts/connect', json)).status).toBe(401);
  expect((await user.bare.post('/accounts/connect', json)).body.code).toBe('csrf_required');
  const keyed = await service.newUser();
  expect((await keyed.post('/accounts/connect', json)).status).toBe(401);
});

test('what cannot be begun is refused with a reason', async () => {
  const refused = async (json: Record<string, unknown>) => {
    const { status, body } = await user.post('/accounts/connect', json);
    return [status, body.code, body.message];
  };
  expect(await refused({ platform: 'myspace' })).toEqual([400, 'invalid_request', expect.stringContaining('tiktok')]);
  expect(await refused({ platform: 'tiktok' })).toEqual([
    422,
    'connect_failed',
    expect.stringContaining('/oauth/tiktok/callback'),
  ]);
  expect(await refused({ platform: 'tiktok', sandbox: true, choices: { privacy: 'nobody' } })).toEqual([
    400,
    'invalid_request',
    expect.stringContaining('SELF_ONLY'),
  ]);
  expect(await refused({ platform: 'tiktok', sandbox: true, colour: 'red' })).toEqual([
    400,
    'unknown_field',
    expect.stringContaining('colour'),
  ]);
});

test('the two pages: one use, no cookie for others, nothing cached, HEAD changes nothing', async () => {
  const url = await begin('tiktok');
  expect((await fetch(url, { method: 'HEAD', redirect: 'manual' })).status).toBe(405);
  const first = await fetch(url, { redirect: 'manual' });
  expect(first.status).toBe(302);
  const cookie = first.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^reelay_connect=[\w-]{43}; Path=\/oauth; HttpOnly; SameSite=Lax; Max-Age=1200$/);
  const second = await fetch(url, { redirect: 'manual' });
  expect(second.status).toBe(410);
  expect(second.headers.get('cache-control')).toBe('no-store');
  expect(second.headers.get('referrer-policy')).toBe('no-referrer');
  expect(await second.text()).toContain('Begin again');
});

test('a link that another user sent is refused where somebody is signed in', async () => {
  const url = await begin('tiktok');
  const victim = await service.newSession();
  expect((await fetch(url, { redirect: 'manual', headers: { cookie: victim.cookie } })).status).toBe(403);
  expect((await fetch(url, { redirect: 'manual', headers: { cookie: user.cookie } })).status).toBe(302);
});

test('words from outside are shown as text, never as a page of their own', async () => {
  const browser = createBrowser();
  const page = await browser.open(await begin('tiktok'));
  const state = new URL(page.url).searchParams.get('state');
  const back = `${service.context.config.publicUrl}/oauth/tiktok/callback?state=${state}&error=odd&error_description=${encodeURIComponent('<script>alert(1)</script>')}`;
  const done = await browser.open(back);
  expect(done.status).toBe(422);
  expect(done.html).not.toContain('<script>');
  expect(done.html).toContain('Reference: ');
});

test('an answer that comes to the other name of this machine is sent home first', async () => {
  const { publicUrl } = service.context.config;
  const other = publicUrl.replace('localhost', '127.0.0.1');
  expect(other).not.toBe(publicUrl);
  const answer = await fetch(`${other}/oauth/tiktok/callback?state=a%2Bb&code=c`, { redirect: 'manual' });
  expect(answer.status).toBe(302);
  expect(answer.headers.get('location')).toBe(`${publicUrl}/oauth/tiktok/callback?state=a%2Bb&code=c`);
});

test('only this machine’s own names are exchanged', () => {
  expect(homeOf('http://localhost:3000', '127.0.0.1:3000')).toBe('http://localhost:3000');
  expect(homeOf('http://127.0.0.1:3000', 'localhost:3000')).toBe('http://127.0.0.1:3000');
  expect(homeOf('http://localhost:3000', 'localhost:3000')).toBeNull();
  expect(homeOf('http://localhost:3000', '127.0.0.1:4000')).toBeNull();
  expect(homeOf('http://localhost:3000', 'evil.example:3000')).toBeNull();
  expect(homeOf('https://reelay.example', '127.0.0.1')).toBeNull();
  expect(homeOf('http://localhost:3000', 'a b/@')).toBeNull();
});

test('disconnecting takes an account off the list; a stranger’s is unknown', async () => {
  const [account] = await service.context.accounts.connectSandbox({
    userId: user.userId,
    platform: 'tiktok',
    username: 'leaver',
    privacy: 'public',
    actor: 'x',
  });
  const stranger = await service.newSession();
  expect((await stranger.call('DELETE', `/accounts/${account?.id}`)).body.code).toBe('unknown_platform');
  expect((await user.call('DELETE', `/accounts/${account?.id}`)).body).toEqual({ success: true });
  expect((await user.call('DELETE', `/accounts/${account?.id}`)).status).toBe(404);
  const { body } = await user.get('/platform/platforms');
  expect(body.data.map((each: { id: string }) => each.id)).not.toContain(account?.id);
});

test('documents that platforms read are served with the service’s own public key', async () => {
  const missing = await fetch(`${service.url}/oauth/nothing.json`);
  expect(missing.status).toBe(404);
  for (const connector of Object.values(connectors)) {
    if (!connector.documents) continue;
    const jwks = await (await fetch(`${service.url}/oauth/jwks.json`)).json();
    expect(JSON.stringify(jwks)).not.toContain('"d":');
    expect((await fetch(`${service.url}/oauth/client-metadata.json`)).headers.get('content-type')).toContain(
      'application/json',
    );
  }
});

test('with the sandbox off no simulated account is made, and its addresses are gone', async () => {
  const plain = await startService({ config: { sandbox: false } });
  const someone = await plain.newSession();
  expect((await someone.post('/accounts/connect', { platform: 'tiktok', sandbox: true })).body.code).toBe(
    'platform_not_connected',
  );
  expect((await fetch(`${plain.url}/sandbox/tiktok/v2/auth/authorize/`)).status).toBe(404);
  await plain.close();
});
