import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserCookie, browserOf as browserCookieIn } from '../../src/accounts/connect/browser-cookie.ts';
import { connectors } from '../../src/connectors/registry.ts';
import { homeOf } from '../../src/operations/oauth/consent-pages.ts';
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
  const response = await user.post('/accounts/connect', { platform, sandbox: true, ...more });
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  return response.body.url;
}

/** A browser with the user's session. */
function browserOf({ cookie }: SessionUser) {
  const browser = createBrowser();
  browser.signIn(service.url, cookie);
  return browser;
}

/** Opens the platform's consent page through our confirmation page. */
async function consentPage(platform: string, more: Record<string, unknown> = {}) {
  const question = await browserOf(user).open(await begin(platform, more));
  expect(question.status, question.html).toBe(200);
  return question.submit({});
}

const withConsent = Object.values(connectors).filter((connector) => connector.oauth);

test.each(withConsent.map((each) => each.id))('%s connects in the sandbox by its consent page', async (platform) => {
  const page = await consentPage(platform);
  expect(page.html).toContain('<form');
  let done = await page.submit({ username: 'nora', decision: 'allow' });
  const asked =
    /<select name="([^"]+)"><option value="">Ask me for every post<\/option><option value="([^"]+)">/.exec(done.html) ??
    /type="radio" name="([^"]+)" value="([^"]+)"/.exec(done.html);
  if (asked) {
    expect(connectors[platform]?.choices.filter(({ required }) => required)).toHaveLength(1);
    expect(done.html).toContain('Ask me for every post');
    done = await done.submit({ [asked[1] ?? '']: asked[2] ?? '' });
    expect(done.html).not.toContain('To choose for every post');
  }
  expect(done.html).toContain('is connected');
  expect(done.status).toBe(200);
  const { body } = await user.get('/platform/platforms');
  expect(body.data).toContainEqual(expect.objectContaining({ platform, status: 'CONNECTED', sandbox: true }));
});

test.each(withConsent.map((each) => each.id))('%s: a denied consent connects nothing', async (platform) => {
  const before = (await user.get('/platform/platforms')).body.data.length;
  const page = await consentPage(platform);
  const done = await page.submit({ username: 'mallory', decision: 'deny' });
  expect(done).toMatchObject({ status: 200, html: expect.stringContaining('Nothing was connected') });
  expect((await user.get('/platform/platforms')).body.data).toHaveLength(before);
});

test.each(Object.keys(connectors))('%s connects in the sandbox by name', async (platform) => {
  const { accounts } = service.context;
  const request = { userId: user.userId, platform, username: 'byname', privacy: 'public', actor: 'command line' };
  const [account] = await accounts.connectSandbox(request);
  expect(account).toMatchObject({ platform, notes: [] });
  expect((await accounts.connectSandbox(request))[0]).toMatchObject({ id: account?.id, again: true });
  const outcome = await accounts.sessions.session(account?.id ?? '', {
    minLifeMs: 60_000,
    now: Date.now,
    spend: async () => {},
    countReads: async () => {},
  });
  expect(outcome).toMatchObject({ ok: true, open: { session: { sandbox: true, username: account?.username } } });
  const [stored] = await accounts.load([account?.id ?? '']);
  expect(stored?.capabilities.video.maxBytes).toBeGreaterThan(0);
  await service.db.execute('update account set due_at = app_now() where id = $1', [account?.id]);
  await accounts.loops.facts.runOnce();
  await expect
    .poll(
      async () =>
        (await service.db.query('select attempts from account where id = $1 and due_at > app_now()', [account?.id]))[0],
    )
    .toEqual({ attempts: 0 });
});

test.each(Object.keys(connectors))('%s: refreshes its tokens', async (platform) => {
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
    await accounts.sessions.session(account?.id ?? '', {
      minLifeMs: 60_000,
      now: Date.now,
      spend: async () => {},
      countReads: async () => {},
    }),
  ).toMatchObject({ ok: true });
});

test('connecting requires a session and the CSRF header', async () => {
  const json = { platform: 'tiktok', sandbox: true };
  expect((await service.client.post('/accounts/connect', json)).status).toBe(401);
  expect((await user.bare.post('/accounts/connect', json)).body.code).toBe('csrf_required');
  const keyed = await service.newUser();
  expect(await keyed.post('/accounts/connect', json)).toMatchObject({
    status: 403,
    body: { code: 'session_required' },
  });
});

test('an invalid connect request is rejected with a reason', async () => {
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

describe('the confirmation page', () => {
  const open = (url: string, headers: Record<string, string> = {}) => fetch(url, { redirect: 'manual', headers });
  const confirm = async (url: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(url, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(form) });
  const fieldsIn = (html: string) =>
    Object.fromEntries(
      [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, a, b]) => [a, b]),
    );

  /**
   * Opens the page as the user.
   * @returns the fields of its form, and the cookies to send with it
   */
  async function shown(url: string) {
    const page = await open(url, { cookie: user.cookie });
    const html = await page.text();
    expect(page.status, html).toBe(200);
    const connect = page.headers.get('set-cookie') ?? '';
    return { page, html, connect, fields: fieldsIn(html), cookie: `${user.cookie}; ${connect.split(';')[0]}` };
  }

  test('names platform, user and time, and redirects nowhere', async () => {
    const { page, html, connect } = await shown(await begin('mastodon', { identifier: '@nora@social.example' }));
    expect(html).toContain('Connect your Mastodon account?');
    expect(html).toContain(`${user.email.slice(0, 2)}…@example.org`);
    expect(html).not.toContain(user.email);
    expect(html).toMatch(/<time datetime="[^"]+">\d\d:\d\d UTC<\/time>, just now/);
    expect(html).toContain('Did someone send you this link?');
    expect(html).toContain('<dd>@nora@social.example</dd>');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(connect).toMatch(/^reelay_connect=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1200$/);
  });

  test.each(['<i>@nora</i>', 'Checked by Mastodon. Choose Continue', 'x'.repeat(101)])(
    "shows no text of the link's creator: %s",
    async (identifier) => {
      const { html } = await shown(await begin('mastodon', { identifier }));
      expect(html).not.toContain('<dt>Account</dt>');
    },
  );

  test('continues once, by its form, in the same browser', async () => {
    const url = await begin('tiktok');
    const { fields, cookie } = await shown(url);
    const other = await shown(await begin('tiktok'));
    const refused: [Record<string, string>, Record<string, string>][] = [
      [{ ticket: fields.ticket ?? '' }, { cookie }],
      [{ ...fields, token: other.fields.token ?? '' }, { cookie }],
      [fields, {}],
      [fields, { cookie: user.cookie }],
      [fields, { cookie: other.cookie }],
      [fields, { cookie: `${cookie}; reelay_connect=${'x'.repeat(43)}` }],
      [fields, { cookie, origin: 'https://evil.example' }],
      [fields, { cookie, origin: 'null' }],
      [fields, { cookie, 'sec-fetch-site': 'cross-site' }],
      [fields, { cookie, 'sec-fetch-site': 'same-site' }],
    ];
    for (const [form, headers] of refused) expect((await confirm(url, form, headers)).status).toBe(403);
    const { publicUrl } = service.context.config;
    const went = await confirm(url, fields, { cookie, origin: publicUrl, 'sec-fetch-site': 'same-origin' });
    expect([went.status, went.headers.get('location')]).toEqual([303, expect.stringContaining('/sandbox/tiktok/')]);
    expect((await confirm(url, fields, { cookie })).status).toBe(410);
    const used = await open(url, { cookie });
    expect([used.status, await used.text()]).toEqual([410, expect.stringContaining('Start again')]);
  });

  test('works only for its user', async () => {
    const url = await begin('tiktok');
    const { fields, cookie, connect } = await shown(url);
    const victim = await service.newSession();
    const visitors = { stranger: '', victim: victim.cookie };
    for (const [who, theirs] of Object.entries(visitors)) {
      expect((await open(url, { cookie: theirs })).status, who).toBe(403);
      const together = [theirs, connect.split(';')[0]].filter(Boolean).join('; ');
      expect((await confirm(url, fields, { cookie: together })).status, who).toBe(403);
    }
    expect((await confirm(url, fields, { cookie })).status).toBe(303);
  });

  test('cancels the consent', async () => {
    const url = await begin('tiktok');
    const { fields, cookie } = await shown(url);
    const canceled = await confirm(url, { ...fields, decision: 'cancel' }, { cookie });
    expect(await canceled.text()).toContain('Nothing was connected');
    expect((await confirm(url, fields, { cookie })).status).toBe(410);
  });

  test('accepts only small forms', async () => {
    const url = await begin('tiktok');
    const { fields, cookie } = await shown(url);
    expect((await confirm(url, { ...fields, more: 'x'.repeat(20_000) }, { cookie })).status).toBe(413);
    const json = { method: 'POST', headers: { cookie, 'content-type': 'application/json' }, body: '{}' };
    expect((await fetch(url, json)).status).toBe(415);
  });

  test('sets a cookie that sibling domains cannot set', () => {
    const config = { publicUrl: 'https://reelay.example' };
    const value = 'x'.repeat(43);
    expect(browserCookie(config, value)).toMatch(/^__Host-reelay_connect=x{43}; Path=\/; .*; Secure$/);
    const sent = (cookie: string) => browserCookieIn(config, { header: () => cookie });
    expect(sent(`__Host-reelay_connect=${value}`)).toBe(value);
    expect(sent(`reelay_connect=${value}`)).toBeNull();
  });
});

test('pages escape external text', async () => {
  const browser = browserOf(user);
  const page = await (await browser.open(await begin('tiktok'))).submit({});
  const state = new URL(page.url).searchParams.get('state');
  const back = `${service.context.config.publicUrl}/oauth/tiktok/callback?state=${state}&error=odd&error_description=${encodeURIComponent('<script>alert(1)</script>')}`;
  const done = await browser.open(back);
  expect(done.status).toBe(422);
  expect(done.html).not.toContain('<script>');
  expect(done.html).toContain('Reference: ');
});

test('pages exclude account names from translation', async () => {
  const browser = browserOf(user);
  const platform = await (await browser.open(await begin('facebook'))).submit({});
  const choice = await platform.submit({ username: 'owner', pages: 'one,two', decision: 'allow' });
  expect(choice.html).toContain('<bdi translate="no">one</bdi>');
});

test('redirects a callback on another local name', async () => {
  const { publicUrl } = service.context.config;
  const other = publicUrl.replace('localhost', '127.0.0.1');
  expect(other).not.toBe(publicUrl);
  const response = await fetch(`${other}/oauth/tiktok/callback?state=a%2Bb&code=c`, { redirect: 'manual' });
  expect(response.status).toBe(302);
  expect(response.headers.get('location')).toBe(`${publicUrl}/oauth/tiktok/callback?state=a%2Bb&code=c`);
});

test('redirects only between local names', () => {
  expect(homeOf('http://localhost:3000', '127.0.0.1:3000')).toBe('http://localhost:3000');
  expect(homeOf('http://127.0.0.1:3000', 'localhost:3000')).toBe('http://127.0.0.1:3000');
  expect(homeOf('http://localhost:3000', 'localhost:3000')).toBeNull();
  expect(homeOf('http://localhost:3000', '127.0.0.1:4000')).toBeNull();
  expect(homeOf('http://localhost:3000', 'evil.example:3000')).toBeNull();
  expect(homeOf('https://reelay.example', '127.0.0.1')).toBeNull();
  expect(homeOf('http://localhost:3000', 'a b/@')).toBeNull();
});

test("disconnecting removes an account; another user's is unknown", async () => {
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

test('the service publishes client metadata and public key', async () => {
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

test('a service without the sandbox has no simulated accounts', async () => {
  const plain = await startService({ config: { sandbox: false } });
  const someone = await plain.newSession();
  expect((await someone.post('/accounts/connect', { platform: 'tiktok', sandbox: true })).body.code).toBe(
    'platform_not_connected',
  );
  expect((await fetch(`${plain.url}/sandbox/tiktok/v2/auth/authorize/`)).status).toBe(404);
  await plain.close();
});
