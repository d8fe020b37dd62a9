import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { APP, startTikTok, type TikTok } from './tiktok-calls.ts';

const CALLBACK = 'https://reelay.example/callback';
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('hex');
const WEB_CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

let tiktok: TikTok;
beforeEach(async () => {
  tiktok = await startTikTok();
});
afterEach(async () => {
  await tiktok.close();
  expect(tiktok.errors).toEqual([]);
});

function query(changes: Record<string, string | null> = {}): string {
  const all = {
    client_key: 'sandbox-client',
    response_type: 'code',
    scope: 'user.info.basic,video.publish',
    redirect_uri: CALLBACK,
    state: 's t&te',
    ...changes,
  };
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(all)) if (value !== null) given.set(name, value);
  return `/v2/auth/authorize/?${given}`;
}

async function consent(changes: Record<string, string | null> = {}, form: Record<string, string> = {}) {
  const response = await tiktok.call('POST', query(changes), {
    form: { username: 'nora.cuts', granted: 'video.publish', decision: 'allow', ...form },
  });
  return { response, callback: new URL(response.headers.get('location') ?? 'http://none/').searchParams };
}

function redeem(code: string, changes: Record<string, string> = {}) {
  const form = { ...APP, code, grant_type: 'authorization_code', redirect_uri: CALLBACK, ...changes };
  return tiktok.call('POST', '/v2/oauth/token/', { form });
}

function refresh(token = '', changes: Record<string, string> = {}) {
  const form = { ...APP, grant_type: 'refresh_token', refresh_token: token, ...changes };
  return tiktok.call('POST', '/v2/oauth/token/', { form });
}

async function enrolled() {
  return (await tiktok.simulator.enrol('nora.cuts')).tokenAnswer as { access_token: string; refresh_token: string };
}

const whoAmI = (token = '') => tiktok.call('GET', '/v2/user/info/?fields=open_id', { token });

describe('consent', () => {
  test('the page lists the scopes and escapes markup', async () => {
    const page = await tiktok.call('GET', query({ state: '"><script>' }));
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    for (const part of ['video.publish', 'name="username"', 'value="allow"', 'value="deny"'])
      expect(page.text).toContain(part);
    expect(page.text).not.toContain('<script');
  });

  test('the form redirects with code, granted scopes and state', async () => {
    const page = await tiktok.call('GET', query());
    const action = /action="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&#38;', '&') ?? '';
    const response = await tiktok.call('POST', new URL(action, tiktok.url + query()).href, {
      form: { username: '@nora.cuts', granted: 'video.publish', decision: 'allow' },
    });
    const location = new URL(response.headers.get('location') ?? '');
    expect(response.status).toBe(302);
    expect(location.origin + location.pathname).toBe(CALLBACK);
    expect(location.searchParams.get('state')).toBe('s t&te');
    expect(location.searchParams.get('scopes')).toBe('user.info.basic,video.publish');
    expect(location.searchParams.get('code')).toMatch(/\*0!\d{4}$/);
  });

  test('a deselected scope is not granted', async () => {
    const { callback } = await consent({}, { granted: 'none' });
    expect(callback.get('scopes')).toBe('user.info.basic');
    expect((await redeem(callback.get('code') ?? '')).flat.scope).toBe('user.info.basic');
  });

  test('Deny redirects with access_denied and state, without a username', async () => {
    const { callback } = await consent({}, { decision: 'deny', username: '' });
    expect(callback.get('error')).toBe('access_denied');
    expect(callback.get('error_description')).toBeTruthy();
    expect(callback.get('state')).toBe('s t&te');
    expect(callback.has('code')).toBe(false);
  });

  test.for<[string, Record<string, string | null>]>([
    ['client_key', { client_key: 'other' }],
    ['client_key', { client_key: null, client_id: 'sandbox-client' }],
    ['redirect_uri', { redirect_uri: null }],
    ['redirect_uri', { redirect_uri: 'not an address' }],
    ['redirect_uri', { redirect_uri: 'http://reelay.example/callback' }],
    ['redirect_uri', { redirect_uri: 'http://localhost/callback' }],
    ['redirect_uri', { redirect_uri: `${CALLBACK}?a=1` }],
    ['redirect_uri', { redirect_uri: `${CALLBACK}#a` }],
    ['redirect_uri', { redirect_uri: `${CALLBACK}/${'x'.repeat(500)}` }],
    ['response_type', { response_type: 'token' }],
    ['state', { state: null }],
    ['scope', { scope: null }],
    ['scope', { scope: 'user.info.basic video.publish' }],
    ['scope', { scope: 'user.info.basic,everything' }],
    ['code_challenge:', { redirect_uri: 'http://localhost:3000/callback' }],
    ['code_challenge_method', { code_challenge: CHALLENGE }],
    ['code_challenge:', { code_challenge: 'base64url-form', code_challenge_method: 'S256' }],
    [
      'code_challenge:',
      { redirect_uri: 'http://localhost:3000/callback', code_challenge: WEB_CHALLENGE, code_challenge_method: 'S256' },
    ],
  ])('an invalid %s shows an error page', async ([name, changes]) => {
    const page = await tiktok.call('GET', query(changes));
    expect(page.status).toBe(400);
    expect(page.text).toContain(name);
    const { response } = await consent(changes);
    expect(response.status).toBe(400);
    expect(response.headers.has('location')).toBe(false);
  });

  test.for(['', '   ', 'a/b', 'x'.repeat(65)])('"%s" is an invalid username', async (username) => {
    expect((await consent({}, { username })).response.status).toBe(400);
  });
});

describe('code exchange', () => {
  test('the flat response lasts two hours and 180 days', async () => {
    const { callback } = await consent();
    const { status, flat } = await redeem(callback.get('code') ?? '');
    expect(status).toBe(200);
    expect(flat).toEqual({
      access_token: expect.stringMatching(/^act\./),
      expires_in: 7200,
      open_id: expect.any(String),
      refresh_expires_in: 15_552_000,
      refresh_token: expect.stringMatching(/^rft\./),
      scope: 'user.info.basic,video.publish',
      token_type: 'Bearer',
    });
    expect((await whoAmI(flat.access_token)).json.data.user.open_id).toBe(flat.open_id);
    tiktok.clock.now += 7_200_000;
    expect(await whoAmI(flat.access_token)).toMatchObject({
      status: 401,
      json: { error: { code: 'access_token_invalid' } },
    });
  });

  test('a code works once, even for concurrent requests', async () => {
    const { callback } = await consent();
    const code = callback.get('code') ?? '';
    const responses = await Promise.all([redeem(code), redeem(code), redeem(code)]);
    expect(responses.filter(({ flat }) => flat.access_token)).toHaveLength(1);
    expect(await redeem(code)).toMatchObject({
      status: 200,
      json: { error: 'invalid_grant', log_id: expect.any(String) },
    });
  });

  test('a code expires after ten minutes and must be decoded', async () => {
    const { callback } = await consent();
    const code = callback.get('code') ?? '';
    expect((await redeem(code.replace('!', '%21'))).flat.error).toBe('invalid_grant');
    tiktok.clock.now += 600_000;
    expect((await redeem(code)).flat.error).toBe('invalid_grant');
  });

  test.for<[string, Record<string, string>]>([
    ['invalid_client', { client_secret: 'wrong' }],
    ['invalid_client', { client_key: 'wrong' }],
    ['invalid_request', { client_secret: '' }],
    ['invalid_request', { redirect_uri: 'https://other.example/' }],
    ['invalid_request', { redirect_uri: '' }],
    ['invalid_request', { code: '' }],
    ['invalid_grant', { code: 'unknown' }],
    ['unsupported_grant_type', { grant_type: 'password' }],
  ])('%s with HTTP 200 for %j', async ([error, changes]) => {
    const { callback } = await consent();
    const response = await redeem(callback.get('code') ?? '', changes);
    expect(response.status).toBe(200);
    expect(response.json).toEqual({ error, error_description: expect.any(String), log_id: expect.any(String) });
  });

  test('a body that is not a form has no fields', async () => {
    const response = await tiktok.call('POST', '/v2/oauth/token/', { json: { ...APP, grant_type: 'refresh_token' } });
    expect(response.flat.error).toBe('invalid_request');
    const form = new URLSearchParams({ ...APP });
    const without = await tiktok.call('POST', '/v2/oauth/token/', { form: Object.fromEntries(form) });
    expect(without.flat.error).toBe('invalid_request');
  });

  test('Login Kit for Desktop verifies a hexadecimal challenge', async () => {
    const redirect_uri = 'http://127.0.0.1:3000/callback';
    const asked = { redirect_uri, code_challenge: CHALLENGE.toUpperCase(), code_challenge_method: 'S256' };
    const code = async () => (await consent(asked)).callback.get('code') ?? '';
    expect((await redeem(await code(), { redirect_uri })).flat.error).toBe('invalid_request');
    const wrong = { redirect_uri, code_verifier: 'w'.repeat(43) };
    expect((await redeem(await code(), wrong)).flat.error).toBe('invalid_request');
    const short = createHash('sha256').update('short').digest('hex');
    const shortCode = (await consent({ ...asked, code_challenge: short })).callback.get('code') ?? '';
    expect((await redeem(shortCode, { redirect_uri, code_verifier: 'short' })).flat.error).toBe('invalid_request');
    expect((await redeem(await code(), { redirect_uri, code_verifier: VERIFIER })).flat.access_token).toBeTruthy();
  });

  test('Login Kit for Web accepts the challenge of other libraries', async () => {
    const changes = { code_challenge: WEB_CHALLENGE, code_challenge_method: 'S256' };
    const { callback } = await consent(changes);
    const code = callback.get('code') ?? '';
    expect((await redeem(code, { code_verifier: 'w'.repeat(43) })).flat.error).toBe('invalid_request');
    expect((await redeem(code, { code_verifier: VERIFIER })).flat.access_token).toBeTruthy();
  });

  test('the path of the consent page needs no final slash', async () => {
    const url = query().replace('/authorize/?', '/authorize?');
    expect((await tiktok.call('GET', url)).status).toBe(200);
  });

  test('an app may require a challenge for the web', async () => {
    await tiktok.store.put('app', 'settings', { audited: true, activeUserCap: null, requiresChallenge: true });
    const { response } = await consent();
    expect([response.status, response.text]).toEqual([400, expect.stringContaining('10007')]);
  });

  test('each username has its own open id', async () => {
    const idOf = async (username: string) => {
      const { callback } = await consent({}, { username });
      return (await redeem(callback.get('code') ?? '')).flat.open_id;
    };
    expect(await idOf('nora')).toBe(await idOf('@nora'));
    expect(await idOf('nora')).not.toBe(await idOf('ida'));
  });
});

describe('refresh', () => {
  test('invalidates the old refresh token but not the access token', async () => {
    const first = await enrolled();
    const second = (await refresh(first.refresh_token)).flat;
    expect(second).toMatchObject({ expires_in: 7200, refresh_expires_in: 15_552_000, token_type: 'Bearer' });
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await refresh(first.refresh_token)).flat.error).toBe('invalid_grant');
    expect((await whoAmI(first.access_token)).status).toBe(200);
    expect((await whoAmI(second.access_token)).status).toBe(200);
    expect((await refresh(second.refresh_token)).flat.access_token).toBeTruthy();
  });

  test('a lost response still invalidates the old refresh token', async () => {
    const { refresh_token } = await enrolled();
    tiktok.faults.add({ when: ({ path }) => path === '/v2/oauth/token/', times: 1, fault: { kind: 'reset-after' } });
    await expect(refresh(refresh_token)).rejects.toThrow();
    expect((await refresh(refresh_token)).flat.error).toBe('invalid_grant');
  });

  test('one of two concurrent refreshes succeeds', async () => {
    const { refresh_token } = await enrolled();
    const responses = await Promise.all([refresh(refresh_token), refresh(refresh_token)]);
    expect(responses.map(({ flat }) => flat.error ?? 'ok').sort()).toEqual(['invalid_grant', 'ok']);
  });

  test('a refresh token expires after 180 days', async () => {
    const { refresh_token } = await enrolled();
    tiktok.clock.now += 15_552_000_000;
    expect((await refresh(refresh_token)).flat.error).toBe('invalid_grant');
  });

  test.for<[string, Record<string, string>]>([
    ['invalid_request', { refresh_token: '' }],
    ['invalid_grant', { refresh_token: 'rft.unknown' }],
    ['invalid_client', { client_secret: 'wrong' }],
  ])('%s for %j', async ([error, changes]) => {
    const { refresh_token } = await enrolled();
    expect(await refresh(refresh_token, changes)).toMatchObject({ status: 200, json: { error } });
  });
});

describe('revoke', () => {
  const revoke = (form: Record<string, string>) => tiktok.call('POST', '/v2/oauth/revoke/', { form });

  test('revokes only this grant, with an empty response', async () => {
    const mine = await enrolled();
    const other = await enrolled();
    expect(await revoke({ ...APP, token: mine.access_token })).toMatchObject({ status: 200, text: '' });
    expect((await whoAmI(mine.access_token)).status).toBe(401);
    expect((await refresh(mine.refresh_token)).flat.error).toBe('invalid_grant');
    expect((await whoAmI(other.access_token)).status).toBe(200);
    expect((await revoke({ ...APP, token: mine.access_token })).flat.error).toBe('invalid_request');
  });

  test("requires the app's credentials and a token", async () => {
    const { access_token: token } = await enrolled();
    expect((await revoke({ ...APP, client_secret: 'wrong', token })).flat.error).toBe('invalid_client');
    expect((await revoke({ ...APP, token: 'act.unknown' })).flat.error).toBe('invalid_request');
    expect((await revoke({ ...APP })).flat.error).toBe('invalid_request');
    expect((await whoAmI(token)).status).toBe(200);
  });
});
