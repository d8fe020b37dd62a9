import { createHash, createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { at } from '../../src/json.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { APP, SCOPES, startYouTube, type YouTube } from './youtube-calls.ts';

const CALLBACK = 'https://reelay.example/callback';
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const [UPLOAD = '', READ = ''] = SCOPES;

const start = closedAfterTest(startYouTube);
let youtube: YouTube;
beforeEach(async () => {
  youtube = await start();
});

function query(changes: Record<string, string | null> = {}): string {
  const all = {
    client_id: APP.client_id,
    response_type: 'code',
    scope: `${UPLOAD} ${READ}`,
    redirect_uri: CALLBACK,
    state: 's t&te',
    access_type: 'offline',
    prompt: 'consent',
    ...changes,
  };
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(all)) if (value !== null) given.set(name, value);
  return `/o/oauth2/v2/auth?${given}`;
}

async function consent(changes: Record<string, string | null> = {}, fields: Record<string, string> = {}) {
  const form = { username: 'nora.cuts', decision: 'allow', ...fields };
  const body = new URLSearchParams(form);
  if (!('granted' in fields)) for (const scope of SCOPES) body.append('granted', scope);
  const response = await youtube.call('POST', query(changes), {
    body: Buffer.from(body.toString()),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  return { response, callback: new URL(response.headers.get('location') ?? 'http://none/').searchParams };
}

const token = (form: Record<string, string>) => youtube.call('POST', '/token', { form: { ...APP, ...form } });
const redeem = (code: string | null, changes: Record<string, string> = {}) =>
  token({ code: code ?? '', grant_type: 'authorization_code', redirect_uri: CALLBACK, ...changes });
const renew = (refreshToken: unknown, changes: Record<string, string> = {}) =>
  token({ grant_type: 'refresh_token', refresh_token: String(refreshToken), ...changes });
const enrolled = async () => (await youtube.simulator.enrol('nora.cuts')).tokenAnswer ?? {};
const whoAmI = (accessToken: unknown) => youtube.list('channels', String(accessToken), { part: 'id', mine: 'true' });

describe('consent', () => {
  test('the page lists the scopes and escapes markup', async () => {
    const page = await youtube.call('GET', query({ state: '"><script>' }));
    expect(page.status).toBe(200);
    for (const part of [UPLOAD, 'name="username"', 'value="allow"', 'value="deny"']) expect(page.text).toContain(part);
    expect(page.text).not.toContain('<script');
  });

  test('redirects with code, scopes and state', async () => {
    const { response, callback } = await consent();
    expect(response.status).toBe(302);
    expect(callback.get('state')).toBe('s t&te');
    expect(callback.get('scope')).toBe(`${UPLOAD} ${READ}`);
    expect(callback.get('code')).toMatch(/^4\/0A/);
  });

  test('returns no code if denied or without any scope', async () => {
    const { callback } = await consent({}, { granted: READ });
    expect(callback.get('scope')).toBe(READ);
    expect((await redeem(callback.get('code'))).json.scope).toBe(READ);
    const no: Record<string, string>[] = [{ granted: 'none' }, { decision: 'deny' }];
    for (const fields of no) {
      const denied = (await consent({}, fields)).callback;
      expect([denied.get('error'), denied.get('state'), denied.has('code')]).toEqual([
        'access_denied',
        's t&te',
        false,
      ]);
    }
  });

  test.for<[string, Record<string, string | null>]>([
    ['client_id', { client_id: 'other' }],
    ['redirect_uri', { redirect_uri: null }],
    ['redirect_uri', { redirect_uri: 'http://reelay.example/callback' }],
    ['redirect_uri', { redirect_uri: `${CALLBACK}#a` }],
    ['response_type', { response_type: 'token' }],
    ['scope', { scope: null }],
    ['scope', { scope: `${UPLOAD},${READ}` }],
    ['scope', { scope: 'https://www.googleapis.com/auth/drive' }],
    ['access_type', { access_type: 'forever' }],
    ['prompt', { prompt: 'always' }],
    ['code_challenge_method', { code_challenge: CHALLENGE }],
    ['code_challenge ', { code_challenge: 'short', code_challenge_method: 'S256' }],
    ['client_key', { client_key: 'x' }],
  ])('an invalid %s shows an error page', async ([name, changes]) => {
    const page = await youtube.call('GET', query(changes));
    expect(page.status).toBe(400);
    expect(page.text).toContain(name);
    expect((await consent(changes)).response.status).toBe(400);
  });

  test.for(['', 'a/b', 'x'.repeat(65)])('"%s" is an invalid username', async (username) => {
    expect((await consent({}, { username })).response.status).toBe(400);
  });
});

describe('tokens', () => {
  test('a code works once, even for concurrent requests', async () => {
    const code = (await consent()).callback.get('code');
    const responses = await Promise.all([redeem(code), redeem(code)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
    const json = responses.find(({ status }) => status === 200)?.json ?? {};
    expect(json).toEqual({
      access_token: expect.stringMatching(/^ya29\./),
      expires_in: 3_599,
      refresh_token: expect.stringMatching(/^1\/\/0/),
      scope: `${UPLOAD} ${READ}`,
      token_type: 'Bearer',
    });
    expect((await redeem(code)).json).toEqual({ error: 'invalid_grant', error_description: expect.any(String) });
    expect((await whoAmI(json.access_token)).status).toBe(200);
    youtube.clock.now += 3_599_000;
    expect((await whoAmI(json.access_token)).reason).toBe('authError');
  });

  test.for<[string, Record<string, string | null>, boolean]>([
    ['again and with prompt=consent', {}, true],
    ['again without it', { prompt: null }, false],
    ['for online access', { access_type: 'online' }, false],
  ])('consent %s: whether a refresh token is issued', async ([, changes, expected]) => {
    await redeem((await consent()).callback.get('code'));
    const { json } = await redeem((await consent(changes)).callback.get('code'));
    expect('refresh_token' in json).toBe(expected);
  });

  test.for<[number, string, Record<string, string>]>([
    [401, 'invalid_client', { client_secret: 'wrong' }],
    [401, 'invalid_client', { client_id: 'wrong' }],
    [400, 'redirect_uri_mismatch', { redirect_uri: 'https://other.example/' }],
    [400, 'invalid_request', { code: '' }],
    [400, 'invalid_grant', { code: 'unknown' }],
    [400, 'unsupported_grant_type', { grant_type: 'password' }],
  ])('%i %s for %j', async ([status, error, changes]) => {
    const response = await redeem((await consent()).callback.get('code'), changes);
    expect([response.status, response.json.error]).toEqual([status, error]);
  });

  test('requires a form, and codes expire after ten minutes', async () => {
    expect((await youtube.call('POST', '/token', { json: { ...APP } })).json.error).toBe('invalid_client');
    const code = (await consent()).callback.get('code');
    youtube.clock.now += 600_000;
    expect((await redeem(code)).json.error).toBe('invalid_grant');
  });

  test.for([
    [APP.client_secret, 200],
    ['wrong', 401],
  ] as const)('accept Basic authentication with secret "%s": %i', async ([secret, status]) => {
    const { refresh_token } = await enrolled();
    const form = { grant_type: 'refresh_token', refresh_token: String(refresh_token) };
    const headers = { authorization: `Basic ${Buffer.from(`${APP.client_id}:${secret}`).toString('base64')}` };
    expect((await youtube.call('POST', '/token', { form, headers })).status).toBe(status);
  });

  test('are described by tokeninfo until they expire', async () => {
    const { access_token } = await enrolled();
    const form = { access_token: String(access_token) };
    const { json } = await youtube.call('POST', '/tokeninfo', { form });
    expect(json).toMatchObject({ aud: APP.client_id, scope: `${UPLOAD} ${READ}`, expires_in: '3599' });
    youtube.clock.now += 3_599_000;
    expect((await youtube.call('POST', '/tokeninfo', { form })).json.error).toBe('invalid_token');
  });

  test('with openid include a verifiable identity', async () => {
    const scope = `openid email ${READ}`;
    const granted = await youtube.call('POST', query({ scope, nonce: 'n' }), {
      form: { username: 'nora.cuts', decision: 'allow', granted: 'openid' },
    });
    const code = new URL(granted.headers.get('location') ?? '').searchParams.get('code');
    const { json } = await redeem(code);
    const iat = youtube.clock.now / 1_000;
    const [head = '', payload = '', signature = ''] = String(json.id_token).split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toEqual({
      ...{ iss: 'https://accounts.google.com', azp: APP.client_id, aud: APP.client_id, nonce: 'n' },
      ...{ sub: (await youtube.simulator.enrol('nora.cuts')).remoteId, iat },
      exp: iat + 3_599,
    });
    const certs = (await youtube.call('GET', '/oauth2/v1/certs')).json;
    const set = (await youtube.call('GET', '/oauth2/v3/certs')).json;
    const key = createPublicKey({ key: at(set, 'keys', 0) as JsonWebKey, format: 'jwk' });
    for (const each of [key, String(certs.sandbox)])
      expect(verify('sha256', Buffer.from(`${head}.${payload}`), each, Buffer.from(signature, 'base64url'))).toBe(true);
  });

  test('can be revoked by the query', async () => {
    const { access_token } = await enrolled();
    const path = `/revoke?token=${encodeURIComponent(String(access_token))}`;
    expect((await youtube.call('POST', path)).status).toBe(200);
    expect((await whoAmI(access_token)).status).toBe(401);
  });

  test('a challenge requires its verifier', async () => {
    const asked = { code_challenge: CHALLENGE, code_challenge_method: 'S256' };
    const code = (await consent(asked)).callback.get('code');
    expect((await redeem(code)).json.error).toBe('invalid_grant');
    expect((await redeem(code, { code_verifier: 'w'.repeat(43) })).json.error).toBe('invalid_grant');
    expect((await redeem(code, { code_verifier: VERIFIER })).status).toBe(200);
  });

  test('can be refreshed repeatedly without a new refresh token', async () => {
    const first = await enrolled();
    for (let time = 0; time < 2; time += 1) {
      const { status, json } = await renew(first.refresh_token);
      expect(status).toBe(200);
      expect(json).not.toHaveProperty('refresh_token');
      expect((await whoAmI(json.access_token)).status).toBe(200);
    }
    expect((await renew('1//0unknown')).json.error).toBe('invalid_grant');
    expect((await renew('')).json.error).toBe('invalid_request');
    expect((await renew(first.refresh_token, { client_secret: 'x' })).status).toBe(401);
  });

  test('of a testing project expire after seven days', async () => {
    await youtube.set({ testing: true });
    const first = await enrolled();
    expect(first.refresh_token_expires_in).toBe(604_799);
    youtube.clock.now += 604_798_000;
    expect((await renew(first.refresh_token)).status).toBe(200);
    youtube.clock.now += 1_000;
    expect((await renew(first.refresh_token)).json.error).toBe('invalid_grant');
  });

  test.for(['access_token', 'refresh_token'])("revoking by %s invalidates all of the user's grants", async (which) => {
    const [mine, again] = [await enrolled(), await enrolled()];
    const other = (await youtube.simulator.enrol('ida')).tokenAnswer ?? {};
    const revoke = () => youtube.call('POST', '/revoke', { form: { token: String(mine[which]) } });
    expect(await revoke()).toMatchObject({ status: 200, text: '' });
    for (const each of [mine, again]) {
      expect((await whoAmI(each.access_token)).status).toBe(401);
      expect((await renew(each.refresh_token)).json.error).toBe('invalid_grant');
    }
    expect((await whoAmI(other.access_token)).status).toBe(200);
    const second = await revoke();
    expect([second.status, second.json.error]).toEqual([400, 'invalid_token']);
  });
});
