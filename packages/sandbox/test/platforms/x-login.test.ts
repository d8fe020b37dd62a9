import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { closedAfterTest } from '../harness/after-test.ts';
import { BASIC, startX, type X } from './x-calls.ts';

const CALLBACK = 'https://reelay.example/callback';
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const SCOPES = ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access'];

const start = closedAfterTest(startX);
let x: X;
beforeEach(async () => {
  x = await start();
});

type Changes = Record<string, string | null>;

function address(changes: Changes = {}): string {
  const all: Changes = {
    client_id: 'sandbox-client',
    response_type: 'code',
    scope: SCOPES.join(' '),
    redirect_uri: CALLBACK,
    state: 's t&te',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...changes,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(all)) if (value !== null) query.set(name, value);
  return `/i/oauth2/authorize?${query}`;
}

async function consent(changes: Changes = {}, given: { granted?: string[]; decision?: string } = {}) {
  const form = new URLSearchParams({ username: 'nora', decision: given.decision ?? 'allow' });
  for (const scope of given.granted ?? SCOPES) form.append('granted', scope);
  const response = await x.call('POST', address(changes), { form });
  return new URL(response.headers.get('location') ?? 'http://none/').searchParams;
}

const codeOf = async (...given: Parameters<typeof consent>) => (await consent(...given)).get('code') ?? '';

function token(form: Changes, headers: Record<string, string> = { authorization: BASIC }) {
  const given = Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== null);
  return x.call('POST', '/2/oauth2/token', { form: Object.fromEntries(given), headers });
}

const redeem = (code: string, changes: Changes = {}, headers?: Record<string, string>) =>
  token(
    { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER, ...changes },
    headers,
  );
const refresh = (refreshToken = '') => token({ grant_type: 'refresh_token', refresh_token: refreshToken });
const whoAmI = (access = '') => x.call('GET', '/2/users/me', { token: access });

describe('consent', () => {
  test('the page lists the scopes and escapes markup', async () => {
    const page = await x.call('GET', address({ state: '"><script>' }));
    expect(page.status).toBe(200);
    for (const part of [...SCOPES, 'name="username"', 'value="deny"']) expect(page.text).toContain(part);
    expect(page.text).not.toContain('<script>');
  });

  test.each<[string, Changes]>([
    ['another application', { client_id: 'other' }],
    ['no address', { redirect_uri: null }],
    ['an address that is none', { redirect_uri: 'reelay' }],
    ['another kind of response', { response_type: 'token' }],
    ['no state', { state: null }],
    ['a state of 501 characters', { state: 's'.repeat(501) }],
    ['scopes separated by commas', { scope: SCOPES.join(',') }],
    ['an unknown scope', { scope: 'tweet.read tweet.all' }],
    ['no challenge', { code_challenge: null }],
    ['a challenge in hexadecimal', { code_challenge: createHash('sha256').update(VERIFIER).digest('hex') }],
    ['no method', { code_challenge_method: null }],
    ['another method', { code_challenge_method: 'S512' }],
  ])('with %s returns neither page nor code', async (_name, changes) => {
    expect((await x.call('GET', address(changes))).status).toBe(400);
    expect((await consent(changes)).get('code')).toBeNull();
  });

  test('accepts the method in the spelling of twitter-api-v2', async () => {
    const code = await codeOf({ code_challenge_method: 's256' });
    expect((await redeem(code)).status).toBe(200);
    const other = await codeOf({ code_challenge_method: 's256' });
    expect((await redeem(other, { code_verifier: 'w'.repeat(43) })).flat.error).toBe('invalid_request');
  });

  test('redirects with state and code, or state and error', async () => {
    expect([...(await consent()).keys()].sort()).toEqual(['code', 'state']);
    const denied = await consent({}, { decision: 'deny' });
    expect(Object.fromEntries(denied)).toEqual({ state: 's t&te', error: 'access_denied' });
  });
});

describe('code', () => {
  test('is exchanged for a token pair', async () => {
    const { status, headers, flat } = await redeem(await codeOf());
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(flat).toEqual({
      token_type: 'bearer',
      expires_in: 7_200,
      access_token: expect.any(String),
      scope: SCOPES.join(' '),
      refresh_token: expect.any(String),
    });
    expect((await whoAmI(flat.access_token)).json.data).toEqual({
      id: await x.accountId(),
      name: 'nora',
      username: 'nora',
    });
  });

  test('without offline.access yields no refresh token', async () => {
    const { flat } = await redeem(await codeOf({}, { granted: ['tweet.read', 'users.read'] }));
    expect(flat.scope).toBe('tweet.read users.read');
    expect(flat).not.toHaveProperty('refresh_token');
    for (const refused of [
      await x.initialize(flat.access_token ?? ''),
      await x.post(flat.access_token ?? '', { text: 'a' }),
    ]) {
      expect(refused.status).toBe(403);
      expect(refused.json).toEqual({ title: 'Forbidden', detail: 'Forbidden', type: 'about:blank', status: 403 });
    }
  });

  test('works once, even for concurrent requests', async () => {
    const code = await codeOf();
    const responses = await Promise.all([redeem(code), redeem(code)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
    const again = await redeem(code);
    expect([again.status, again.flat.error]).toEqual([400, 'invalid_request']);
  });

  test('expires after 30 seconds', async () => {
    const [first, second] = [await codeOf(), await codeOf()];
    x.clock.now += 29_999;
    expect((await redeem(first)).status).toBe(200);
    x.clock.now += 1;
    expect((await redeem(second)).flat.error_description).toContain('authorization code');
  });

  test.each<[string, Changes]>([
    ['another address', { redirect_uri: `${CALLBACK}/` }],
    ['no address', { redirect_uri: null }],
    ['another verifier', { code_verifier: 'w'.repeat(43) }],
    ['a short verifier', { code_verifier: 'v' }],
    ['no verifier', { code_verifier: null }],
    ['no code', { code: null }],
    ['no grant type', { grant_type: null }],
  ])('with %s is rejected', async (_name, changes) => {
    const { status, flat } = await redeem(await codeOf(), changes);
    expect([status, flat.error]).toEqual([400, 'invalid_request']);
  });

  test('with a plain challenge requires the same verifier', async () => {
    const plain = { code_challenge: VERIFIER, code_challenge_method: 'plain' };
    expect((await redeem(await codeOf(plain))).status).toBe(200);
    expect((await redeem(await codeOf(plain), { code_verifier: 'w'.repeat(43) })).status).toBe(400);
  });

  test.each<[string, Record<string, string>, Changes]>([
    ['no credentials', {}, {}],
    ['credentials in the body', {}, { client_id: 'sandbox-client', client_secret: 'sandbox-secret' }],
    ['a wrong secret', { authorization: `Basic ${Buffer.from('sandbox-client:no').toString('base64')}` }, {}],
  ])('with %s is rejected as unauthorized client', async (_name, headers, changes) => {
    const { status, flat } = await redeem(await codeOf(), changes, headers);
    expect([status, flat.error]).toEqual([401, 'unauthorized_client']);
  });

  test('in JSON is rejected', async () => {
    const headers = { authorization: BASIC };
    const json = { grant_type: 'authorization_code', code: await codeOf() };
    expect((await x.call('POST', '/2/oauth2/token', { headers, json })).status).toBe(400);
  });
});

describe('tokens', () => {
  test('expire after two hours; a refresh token works once', async () => {
    const { flat } = await redeem(await codeOf());
    x.clock.now += 7_199_999;
    expect((await whoAmI(flat.access_token)).status).toBe(200);
    x.clock.now += 1;
    const dead = await whoAmI(flat.access_token);
    expect(dead.status).toBe(401);
    expect(dead.json).toEqual({ title: 'Unauthorized', detail: 'Unauthorized', type: 'about:blank', status: 401 });
    const second = await refresh(flat.refresh_token);
    expect((await whoAmI(second.flat.access_token)).status).toBe(200);
    expect((await refresh(flat.refresh_token)).flat).toEqual({
      error: 'invalid_request',
      error_description: 'Value passed for the token was invalid.',
    });
    expect((await refresh(second.flat.refresh_token)).status).toBe(200);
  });

  test('one of two concurrent refreshes succeeds', async () => {
    const { flat } = await redeem(await codeOf());
    const responses = await Promise.all([refresh(flat.refresh_token), refresh(flat.refresh_token)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test('a refresh token expires after half a year', async () => {
    const { flat } = await redeem(await codeOf());
    x.clock.now += 180 * 86_400_000;
    expect((await refresh(flat.refresh_token)).status).toBe(400);
  });

  test('are revoked separately', async () => {
    const { flat } = await redeem(await codeOf());
    const revoke = (given = '') =>
      x.call('POST', '/2/oauth2/revoke', { form: { token: given }, headers: { authorization: BASIC } });
    const response = await revoke(flat.access_token);
    expect([response.status, response.flat]).toEqual([200, { revoked: true }]);
    expect((await whoAmI(flat.access_token)).status).toBe(401);
    const { flat: renewed } = await refresh(flat.refresh_token);
    await revoke(renewed.refresh_token);
    expect((await refresh(renewed.refresh_token)).status).toBe(400);
    expect((await whoAmI(renewed.access_token)).status).toBe(200);
    expect((await revoke(flat.access_token)).status).toBe(400);
  });

  test.each([undefined, 'none'])('%s is not a token', async (given) => {
    const options = given === undefined ? {} : { token: given };
    expect((await x.call('GET', '/2/users/me', options)).status).toBe(401);
  });
});

describe('other clients', () => {
  test('may send JSON to the token and revocation endpoints', async () => {
    const client = { client_id: 'sandbox-client', client_secret: 'sandbox-secret' };
    const code = await codeOf();
    const json = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER, ...client };
    const headers = { authorization: BASIC };
    const { flat } = await x.call('POST', '/2/oauth2/token', { json, headers });
    expect((await whoAmI(flat.access_token)).status).toBe(200);
    const refused = await x.call('POST', '/2/oauth2/token', { json: { grant_type: 'refresh_token', ...client } });
    expect([refused.status, refused.flat.error]).toEqual([401, 'unauthorized_client']);
    const revoked = await x.call('POST', '/2/oauth2/revoke', {
      json: { token: flat.access_token, ...client },
      headers,
    });
    expect(revoked.flat).toEqual({ revoked: true });
    expect((await whoAmI(flat.access_token)).status).toBe(401);
  });

  test.each(['sandbox%2Dclient:sandbox%2Dsecret', 'sandbox-client:sandbox-secret'])(
    'may send their credentials as %s',
    async (credentials) => {
      const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
      expect((await redeem(await codeOf(), {}, { authorization })).status).toBe(200);
    },
  );

  test.each(['sandbox%2Dclient:sandbox%2Xsecret', 'sandbox-client:', 'sandbox%252Dclient:sandbox%252Dsecret'])(
    'may not send %s',
    async (credentials) => {
      const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
      expect((await redeem(await codeOf(), {}, { authorization })).status).toBe(401);
    },
  );

  test.each([
    [171, 200],
    [42, 400],
    [257, 400],
  ])('may use a verifier of %i characters: %i', async (length, status) => {
    const verifier = 'v'.repeat(length);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    expect((await redeem(await codeOf({ code_challenge: challenge }), { code_verifier: verifier })).status).toBe(
      status,
    );
  });
});

test('the profile has the requested fields; unknown ones are rejected', async () => {
  await x.changeAccount({ subscription: 'Premium' });
  const token = await x.token();
  const response = await x.call('GET', '/2/users/me?user.fields=profile_image_url,subscription_type,verified', {
    token,
  });
  expect(response.json.data).toEqual({
    id: await x.accountId(),
    name: 'nora',
    username: 'nora',
    profile_image_url: expect.stringMatching(/^http/),
    subscription_type: 'Premium',
    verified: true,
  });
  const picture = await fetch(String(response.json.data?.profile_image_url));
  expect(picture.headers.get('content-type')).toBe('image/png');
  expect((await x.call('GET', '/2/users/me?user.fields=shoe_size', { token })).status).toBe(400);
});
