import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Person } from '../../src/platforms/linkedin/records.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { APP, type LinkedIn, startLinkedIn } from './linkedin-calls.ts';

const start = closedAfterTest(startLinkedIn);
let linkedin: LinkedIn;
beforeEach(async () => {
  linkedin = await start();
});

const REDIRECT = 'https://reelay.example/oauth/linkedin/callback';
const ASKED = {
  response_type: 'code',
  client_id: APP.client_id,
  redirect_uri: REDIRECT,
  state: 'the state',
  scope: 'openid profile w_member_social',
};
const DAY_MS = 86_400_000;

function page(changes: Record<string, string> = {}): string {
  return `${linkedin.url}/oauth/v2/authorization?${new URLSearchParams({ ...ASKED, ...changes })}`;
}

/** Submits the form of the consent page. @returns the callback's query */
async function consent(changes: Record<string, string> = {}, form: Record<string, string> = {}) {
  const body = new URLSearchParams({ username: 'nora', decision: 'allow', ...form });
  const response = await fetch(page(changes), { method: 'POST', body, redirect: 'manual' });
  expect(response.status).toBe(302);
  const location = new URL(response.headers.get('location') ?? '');
  expect(location.origin + location.pathname).toBe(new URL(changes.redirect_uri ?? REDIRECT).href);
  return location.searchParams;
}

const tokenCall = (form: Record<string, string>) => linkedin.call('POST', '/oauth/v2/accessToken', { form });
const redeem = (code: string, changes: Record<string, string> = {}) =>
  tokenCall({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT, ...APP, ...changes });
const refresh = (refresh_token: string, changes: Record<string, string> = {}) =>
  tokenCall({ grant_type: 'refresh_token', refresh_token, ...APP, ...changes });
const whoAmI = (token: unknown) => linkedin.call('GET', '/v2/userinfo', { token: String(token) });

describe('simulated LinkedIn consent', () => {
  test('is a page without scripts that lists the scopes', async () => {
    const response = await fetch(page());
    expect([response.status, response.headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringContaining("default-src 'none'"),
    ]);
    const html = await response.text();
    for (const scope of ASKED.scope.split(' ')) expect(html).toContain(scope);
  });

  test('leads to a code, tokens, and the member', async () => {
    const query = await consent();
    expect([...query.keys()].sort()).toEqual(['code', 'state']);
    expect(query.get('state')).toBe('the state');
    const { status, json } = await redeem(query.get('code') ?? '');
    expect([status, json]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^AQX.{400}$/),
        expires_in: 5_184_000,
        refresh_token: expect.stringMatching(/^AQW/),
        refresh_token_expires_in: 31_536_000,
        scope: 'openid,profile,w_member_social',
        token_type: 'Bearer',
        id_token: expect.any(String),
      },
    ]);
    expect((await whoAmI(json.access_token)).json).toMatchObject({ sub: expect.any(String), name: 'nora' });
  });

  test('omits refresh tokens without approval and may use spaces', async () => {
    await linkedin.set({ noRefreshTokens: true, scopeSeparator: ' ' });
    const { json } = await redeem((await consent()).get('code') ?? '');
    expect(Object.keys(json).sort()).toEqual(['access_token', 'expires_in', 'id_token', 'scope', 'token_type']);
    expect(json.scope).toBe('openid profile w_member_social');
  });

  test.each([
    ['deny', 'user_cancelled_authorize'],
    ['leave', 'user_cancelled_login'],
  ])('that ends with "%s" redirects with %s', async (decision, error) => {
    const query = await consent({}, { decision });
    expect(Object.fromEntries(query)).toEqual({ error, error_description: expect.any(String), state: 'the state' });
  });

  test.each<[string, Record<string, string>]>([
    ['another application', { client_id: 'another' }],
    ['a redirect address without TLS', { redirect_uri: 'http://reelay.example/callback' }],
    ['another kind of response', { response_type: 'token' }],
    ['no scope', { scope: '' }],
    ['an unknown scope', { scope: 'openid r_everything' }],
  ])('with %s shows an error page', async (_name, changes) => {
    expect((await fetch(page(changes))).status).toBe(400);
    const body = new URLSearchParams({ username: 'nora', decision: 'allow' });
    expect((await fetch(page(changes), { method: 'POST', body, redirect: 'manual' })).status).toBe(400);
  });

  test('accepts scopes separated by commas, and no state', async () => {
    const query = await consent({ scope: 'openid,profile', state: '' });
    expect([...query.keys()]).toContain('code');
    expect((await redeem(query.get('code') ?? '')).json.scope).toBe('openid,profile');
  });

  test('of products that exclude each other is refused', async () => {
    const scope = 'openid profile w_member_social rw_organization_admin';
    const query = await consent({ scope });
    expect(Object.fromEntries(query)).toMatchObject({
      error: 'unauthorized_scope_error',
      error_description: expect.stringContaining('rw_organization_admin'),
    });
    await linkedin.set({ allProducts: true });
    expect((await consent({ scope })).get('code')).toEqual(expect.any(String));
  });

  test('gives an identity token that the published key verifies', async () => {
    const { json } = await redeem((await consent({ nonce: 'a nonce' })).get('code') ?? '');
    const { json: documents } = await linkedin.call('GET', '/oauth/.well-known/openid-configuration');
    const { json: published } = await linkedin.call('GET', String(documents.jwks_uri));
    const [key] = published.keys as JsonWebKey[];
    const [header = '', claims = '', signature = ''] = String(json.id_token).split('.');
    const publicKey = createPublicKey({ key: key as never, format: 'jwk' });
    expect(verify('sha256', Buffer.from(`${header}.${claims}`), publicKey, Buffer.from(signature, 'base64url'))).toBe(
      true,
    );
    const { sub } = (await whoAmI(json.access_token)).json;
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      iss: documents.issuer,
      aud: APP.client_id,
      nonce: 'a nonce',
      sub,
    });
    const pages = await redeem((await consent({ scope: 'rw_organization_admin' })).get('code') ?? '');
    expect(pages.json).not.toHaveProperty('id_token');
  });

  test('of the Community Management API identifies the member by /v2/me', async () => {
    const { json } = await redeem((await consent({ scope: 'r_basicprofile w_member_social' })).get('code') ?? '');
    const token = String(json.access_token);
    expect((await whoAmI(token)).status).toBe(403);
    const bare = await linkedin.call('GET', '/v2/me', { token });
    expect(bare.json).toMatchObject({ id: expect.any(String), vanityName: 'nora' });
    expect(bare.json.profilePicture).toEqual({ displayImage: expect.stringMatching(/^urn:li:/) });
    const projection = '(id,profilePicture(displayImage~:playableStreams))';
    const asked = await linkedin.call('GET', `/v2/me?projection=${projection}`, { token });
    expect(asked.json.profilePicture).toMatchObject({ 'displayImage~': { elements: [{ identifiers: [{}] }] } });
  });

  test('without a user name is rejected', async () => {
    const body = new URLSearchParams({ username: ' ', decision: 'allow' });
    expect((await fetch(page(), { method: 'POST', body, redirect: 'manual' })).status).toBe(400);
  });
});

describe('simulated LinkedIn code', () => {
  const invalid = { status: 400, json: { error: 'invalid_request', error_description: expect.any(String) } };

  test('works once', async () => {
    const code = (await consent()).get('code') ?? '';
    expect((await redeem(code)).status).toBe(200);
    expect(await redeem(code)).toMatchObject(invalid);
  });

  test('works once for two simultaneous requests', async () => {
    const code = (await consent()).get('code') ?? '';
    const responses = await Promise.all([redeem(code), redeem(code)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test('is valid for half an hour', async () => {
    const code = (await consent()).get('code') ?? '';
    linkedin.clock.now += 30 * 60_000;
    expect(await redeem(code)).toMatchObject(invalid);
  });

  test.each<[string, Record<string, string>, number, string]>([
    ['another address', { redirect_uri: `${REDIRECT}/` }, 400, 'invalid_request'],
    ['no address', { redirect_uri: '' }, 400, 'invalid_request'],
    ['another secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['another application', { client_id: 'another' }, 401, 'invalid_client'],
    ['another grant type', { grant_type: 'password' }, 400, 'invalid_request'],
  ])('with %s is rejected and stays valid', async (_name, changes, status, error) => {
    const code = (await consent()).get('code') ?? '';
    expect(await redeem(code, changes)).toMatchObject({ status, json: { error } });
    expect((await redeem(code)).status).toBe(200);
  });

  test('revokes previous grants with other scopes, not the same', async () => {
    const tokenFor = async (changes: Record<string, string> = {}) =>
      (await redeem((await consent(changes)).get('code') ?? '')).json.access_token;
    const first = await tokenFor();
    const again = await tokenFor();
    expect([(await whoAmI(first)).status, (await whoAmI(again)).status]).toEqual([200, 200]);
    const more = await tokenFor({ scope: `${ASKED.scope} email` });
    expect((await whoAmI(first)).json).toMatchObject({ code: 'REVOKED_ACCESS_TOKEN' });
    expect((await whoAmI(more)).json).toMatchObject({ email_verified: true });
  });
});

describe('simulated LinkedIn tokens', () => {
  test('live 60 days; refresh tokens one year, not extended', async () => {
    const { token, refreshToken } = await linkedin.account('in/nora');
    linkedin.clock.now += 60 * DAY_MS;
    expect(await whoAmI(token)).toMatchObject({
      status: 401,
      json: { code: 'EXPIRED_ACCESS_TOKEN', serviceErrorCode: 65_602, status: 401 },
    });
    const { json } = await refresh(refreshToken);
    expect(json).toMatchObject({ refresh_token: refreshToken, refresh_token_expires_in: (365 - 60) * 86_400 });
    expect((await whoAmI(json.access_token)).status).toBe(200);
    linkedin.clock.now += 305 * DAY_MS;
    expect(await refresh(refreshToken)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
  });

  test.each<[string, Record<string, string>, number, string]>([
    ['no token', { refresh_token: '' }, 400, 'invalid_request'],
    ['an unknown token', { refresh_token: 'AQWnobody' }, 400, 'invalid_grant'],
    ['another secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
  ])('are not refreshed with %s', async (_name, changes, status, error) => {
    const { refreshToken } = await linkedin.account();
    expect(await refresh(refreshToken, changes)).toMatchObject({ status, json: { error } });
  });

  test('can be introspected', async () => {
    const { token } = await linkedin.account('in/nora');
    const look = async (given: string) =>
      (await linkedin.call('POST', '/oauth/v2/introspectToken', { form: { ...APP, token: given } })).json;
    expect(await look(token)).toMatchObject({
      active: true,
      status: 'active',
      client_id: APP.client_id,
      scope: 'openid,profile,w_member_social',
      auth_type: '3L',
    });
    expect(await look('nothing')).toEqual({ active: false });
    linkedin.clock.now += 60 * DAY_MS;
    expect(await look(token)).toMatchObject({ active: false, status: 'expired' });
  });

  test('become invalid when revoked, unlike those of other grants', async () => {
    const mine = await linkedin.account('in/nora');
    const other = await linkedin.account('in/nora');
    const revoke = (form: Record<string, string>) => linkedin.call('POST', '/oauth/v2/revoke', { form });
    expect((await revoke({ ...APP, client_secret: 'wrong', token: mine.token })).json.error).toBe('invalid_client');
    expect(await revoke({ ...APP, token: mine.token })).toMatchObject({ status: 200, text: '' });
    expect((await whoAmI(mine.token)).json).toMatchObject({ code: 'REVOKED_ACCESS_TOKEN', serviceErrorCode: 65_601 });
    expect((await refresh(mine.refreshToken)).json.error).toBe('invalid_grant');
    expect((await whoAmI(other.token)).status).toBe(200);
    expect((await revoke({ ...APP, token: 'nothing' })).status).toBe(400);
  });

  test.each([
    ['EMPTY_ACCESS_TOKEN', undefined],
    ['INVALID_ACCESS_TOKEN', 'AQXnobody'],
  ])('are rejected with %s', async (code, token) => {
    expect(await linkedin.call('GET', '/v2/userinfo', { token })).toMatchObject({ status: 401, json: { code } });
  });
});

describe('simulated LinkedIn profile', () => {
  test('has a stable id per member', async () => {
    const idOf = async (username: string) => (await linkedin.account(username)).urn;
    expect(await idOf('in/nora')).toBe(await idOf('in/nora'));
    expect(await idOf('in/nora')).not.toBe(await idOf('in/ida'));
    expect(await idOf('nora')).toMatch(/^urn:li:organization:\d+$/);
    await expect(idOf('a/b')).rejects.toThrow('user name');
  });

  test('lists page roles by role and state, ten per page', async () => {
    const { token, urn } = await linkedin.account('nora');
    const { urn: person } = await linkedin.account('in/nora');
    const list = async (query: string) =>
      (await linkedin.rest('GET', `/rest/organizationAcls?${query}`, { token })).json;
    const mine = 'q=roleAssignee&role=ADMINISTRATOR&state=APPROVED';
    expect(await list(mine)).toEqual({
      elements: [{ role: 'ADMINISTRATOR', organization: urn, roleAssignee: person, state: 'APPROVED' }],
      paging: { start: 0, count: 10, links: [] },
    });
    expect((await list('q=roleAssignee&role=ANALYST')).elements).toEqual([]);
    await linkedin.store.change<Person>(
      'person',
      person.split(':').at(-1) ?? '',
      (known) =>
        known && {
          ...known,
          roles: Array.from({ length: 12 }, (_, index) => ({
            organizationId: String(index + 1),
            role: 'ADMINISTRATOR',
            state: 'APPROVED',
          })),
        },
    );
    const first = (await list(mine)) as { elements: unknown[]; paging: { links: { href: string }[] } };
    expect(first.elements).toHaveLength(10);
    const next = await linkedin.rest('GET', first.paging.links[0]?.href ?? '', { token });
    expect((next.json as { elements: unknown[] }).elements).toHaveLength(2);
  });

  test.each([
    ['no finder', '/rest/organizationAcls?role=ADMINISTRATOR', 400, 'QUERY_PARAM_NOT_ALLOWED'],
    ['an unknown parameter', '/rest/organizationAcls?q=roleAssignee&page=2', 400, 'QUERY_PARAM_NOT_ALLOWED'],
    ['an unknown role', '/rest/organizationAcls?q=roleAssignee&role=CONTENT_ADMIN', 400, 'INVALID_VALUE_FOR_FIELD'],
    ['a count that is too large', '/rest/organizationAcls?q=roleAssignee&count=101', 400, 'INVALID_VALUE_FOR_FIELD'],
    ['an unknown page', '/rest/organizations/1', 404, 'NOT_FOUND'],
    ['an unknown path', '/rest/nothing', 404, 'NOT_FOUND'],
  ])('rejects %s', async (_name, path, status, code) => {
    const { token } = await linkedin.account();
    expect(await linkedin.rest('GET', path, { token })).toMatchObject({ status, json: { status, code } });
  });

  test('has a name for a page', async () => {
    const { token, urn } = await linkedin.account('nora');
    const id = urn.split(':').at(-1);
    expect((await linkedin.rest('GET', `/rest/organizations/${id}`, { token })).json).toMatchObject({
      id: Number(id),
      localizedName: 'nora Inc.',
      vanityName: 'nora',
    });
  });

  test('requires the right scope for each endpoint', async () => {
    const [page, member] = [await linkedin.account('nora'), await linkedin.account('in/nora')];
    const denied = { status: 403, json: { code: 'ACCESS_DENIED', serviceErrorCode: 100 } };
    expect(await whoAmI(page.token)).toMatchObject(denied);
    const token = member.token;
    expect(await linkedin.rest('GET', '/rest/organizationAcls?q=roleAssignee', { token })).toMatchObject(denied);
    expect(await linkedin.rest('GET', '/rest/organizations/1', { token })).toMatchObject(denied);
  });
});
