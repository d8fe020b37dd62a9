import { describe, expect, test } from 'vitest';
import { type Login, SCOPES } from '../../src/platforms/instagram/records.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { APP, CALLBACK, consentTo, DAY_MS, type Instagram, startInstagram } from './instagram-calls.ts';

const start = closedAfterTest(startInstagram);
const LOGINS: Login[] = ['instagram', 'facebook'];

const codeFor = async (instagram: Instagram, login: Login) =>
  (await consentTo(instagram, login)).params.get('code') ?? '';

const redeem = (instagram: Instagram, login: Login, changes: Record<string, string> = {}) => {
  const form = { ...APP, grant_type: 'authorization_code', redirect_uri: CALLBACK, ...changes };
  if (login === 'instagram') return instagram.call('POST', '/api-instagram/oauth/access_token', { form });
  return instagram.call('GET', `/graph-facebook/v25.0/oauth/access_token?${new URLSearchParams(form)}`);
};
const get = (instagram: Instagram, path: string, query: Record<string, string>) =>
  instagram.call('GET', `${path}?${new URLSearchParams(query)}`);
const longOf = async (instagram: Instagram) => {
  const short = await redeem(instagram, 'instagram', { code: await codeFor(instagram, 'instagram') });
  return get(instagram, '/graph-instagram/access_token', {
    grant_type: 'ig_exchange_token',
    client_secret: APP.client_secret,
    access_token: short.json.access_token,
  });
};
const renew = (instagram: Instagram, token: string) =>
  get(instagram, '/graph-instagram/refresh_access_token', { grant_type: 'ig_refresh_token', access_token: token });

describe('consent', () => {
  test.each(LOGINS)('%s: redirects with code, state and fragment', async (login) => {
    const { status, location, params } = await consentTo(await start(), login);
    expect([status, params.get('state')]).toEqual([302, 'the state']);
    expect(params.get('code')).toMatch(/^AQ/);
    expect(location.endsWith(login === 'instagram' ? '#_' : '#_=_')).toBe(true);
  });

  test.each(LOGINS)('%s: shows a page without scripts', async (login) => {
    const instagram = await start();
    const { url } = instagram;
    const query = new URLSearchParams({ client_id: APP.client_id, redirect_uri: CALLBACK, response_type: 'code' });
    query.set('scope', login === 'instagram' ? 'instagram_business_basic' : 'instagram_basic');
    const path = login === 'facebook' ? '/www-facebook/v25.0/dialog/oauth' : '/www-instagram/oauth/authorize';
    const page = await instagram.call('GET', `${url}${path}?${query}`);
    expect(page.status).toBe(200);
    expect(page.text).not.toMatch(/<script/i);
  });

  test.each(LOGINS)('%s: a denied consent returns access_denied', async (login) => {
    const { params } = await consentTo(await start(), login, {}, { decision: 'deny' });
    expect([params.get('error'), params.get('error_reason')]).toEqual(['access_denied', 'user_denied']);
    expect(params.has('code')).toBe(false);
  });

  test.each([
    ['an unknown application', { client_id: 'x' }],
    ['no redirect address', { redirect_uri: undefined }],
    ['a plain one', { redirect_uri: 'http://reelay.example/back' }],
    ['another response type', { response_type: 'token' }],
    ['a scope that there is not', { scope: 'instagram_everything' }],
  ])('with %s shows an error page without redirect', async (_name, query) => {
    const instagram = await start();
    for (const login of LOGINS)
      expect(await consentTo(instagram, login, query)).toMatchObject({ status: 400, location: '' });
  });
});

describe('code', () => {
  test('of Instagram returns a flat short-lived token with 64-bit id', async () => {
    const instagram = await start();
    const response = await redeem(instagram, 'instagram', { code: await codeFor(instagram, 'instagram') });
    const igId = await instagram.igId();
    expect(response.text).toContain(`"user_id":${igId},`);
    expect(Number.isSafeInteger(Number(igId))).toBe(false);
    expect(response.json.permissions).toBe('instagram_business_basic,instagram_business_content_publish');
  });

  test('of Instagram returns a wrapped token as documented', async () => {
    const instagram = await start();
    await instagram.set({ wrapped: true });
    const response = await redeem(instagram, 'instagram', { code: await codeFor(instagram, 'instagram') });
    expect(response.json.data).toEqual([
      { access_token: expect.stringMatching(/^IGQ/), user_id: await instagram.igId(), permissions: expect.any(String) },
    ]);
  });

  test('of Facebook returns a short-lived token', async () => {
    const instagram = await start();
    const response = await redeem(instagram, 'facebook', { code: await codeFor(instagram, 'facebook') });
    expect(response.json).toEqual({
      access_token: expect.stringMatching(/^EAA/),
      token_type: 'bearer',
      expires_in: 5_100,
    });
  });

  test.each([
    ['unknown', { code: 'AQnone' }, 0, false, '100'],
    ['used', {}, 0, true, '100/36009'],
    ['late', {}, 3_600_000, false, '100/36007'],
    ['brought to another address', { redirect_uri: `${CALLBACK}/` }, 0, false, '100/36008'],
    ['with a wrong secret', { client_secret: 'x' }, 0, false, '1'],
  ])("that is %s is rejected in each host's format", async (_name, change, laterMs, twice, name) => {
    const instagram = await start();
    for (const login of LOGINS) {
      const given = { code: await codeFor(instagram, login), ...change };
      if (twice) await redeem(instagram, login, given);
      instagram.clock.now += laterMs;
      const response = await redeem(instagram, login, given);
      expect(response.status).toBe(400);
      if (login === 'facebook') expect(response.name).toBe(name);
      else
        expect(response.json).toEqual({ error_type: 'OAuthException', code: 400, error_message: expect.any(String) });
    }
  });
});

describe('tokens', () => {
  test('of Instagram are exchanged, then refreshed after a day', async () => {
    const instagram = await start();
    const long = await longOf(instagram);
    expect(long.json).toMatchObject({ token_type: 'bearer', expires_in: 5_183_944 });
    expect((await renew(instagram, long.json.access_token)).name).toBe('100');
    instagram.clock.now += DAY_MS;
    const second = await renew(instagram, long.json.access_token);
    expect(second.json).toMatchObject({ expires_in: 5_183_944, permissions: expect.stringContaining('basic') });
    instagram.clock.now += 5_183_944_000;
    expect((await renew(instagram, second.json.access_token)).name).toBe('190/463');
  });

  test('are exchanged only once and only with the secret', async () => {
    const instagram = await start();
    const long = (await longOf(instagram)).json.access_token;
    const query = { grant_type: 'ig_exchange_token', client_secret: APP.client_secret, access_token: long };
    expect((await get(instagram, '/graph-instagram/access_token', query)).name).toBe('452');
    const wrong = await get(instagram, '/graph-instagram/access_token', { ...query, client_secret: 'x' });
    expect(wrong.name).toBe('101');
    expect((await get(instagram, '/graph-instagram/access_token', { ...query, grant_type: 'x' })).name).toBe('100');
  });

  test('of Facebook are exchanged, and Page tokens never expire', async () => {
    const instagram = await start();
    const short = (await redeem(instagram, 'facebook', { code: await codeFor(instagram, 'facebook') })).json;
    const long = await get(instagram, '/graph-facebook/v25.0/oauth/access_token', {
      ...APP,
      grant_type: 'fb_exchange_token',
      fb_exchange_token: short.access_token,
    });
    expect(long.json.expires_in).toBe(5_183_944);
    const pages = await get(instagram, '/graph-facebook/v25.0/me/accounts', {
      fields: 'id,name,access_token,tasks,instagram_business_account{id,username}',
      access_token: long.json.access_token,
    });
    const [page] = pages.json.data;
    expect(page).toMatchObject({ tasks: ['CREATE_CONTENT', 'MANAGE'] });
    instagram.clock.now += 100 * DAY_MS;
    const igId = await instagram.igId();
    const path = `/graph-facebook/v25.0/${igId}`;
    const fields = 'username,name,profile_picture_url';
    expect((await get(instagram, path, { fields, access_token: long.json.access_token })).name).toBe('190/463');
    const mine = await get(instagram, path, { fields, access_token: page?.access_token ?? '' });
    expect(mine.json).toMatchObject({ username: 'nora.cuts', id: igId });
  });

  test('list their permissions and are revoked with the app', async () => {
    const instagram = await start();
    const token = await instagram.token('facebook');
    const path = '/graph-facebook/v25.0/me/permissions';
    const { json } = await get(instagram, path, { access_token: token });
    expect(json.data).toContainEqual({ permission: 'instagram_content_publish', status: 'granted' });
    expect((await instagram.call('DELETE', `${path}?access_token=${token}`)).json.success).toBe(true);
    expect((await get(instagram, path, { access_token: token })).name).toBe('190/458');
  });

  test.each(['', 'IGAAunknown', 'EAAunknown'])('"%s" is rejected', async (token) => {
    const instagram = await start();
    const igId = await instagram.igId();
    for (const host of LOGINS)
      for (const [method, path] of [
        ['GET', '/me'],
        ['GET', `/${igId}`],
        ['GET', `/${igId}/media`],
        ['POST', `/${igId}/media`],
        ['POST', `/${igId}/media_publish`],
        ['GET', `/${igId}/content_publishing_limit`],
      ] as const)
        expect((await instagram.call(method, `/graph-${host}/v25.0${path}?access_token=${token}`)).name).toBe('190');
  });

  test('of one host are rejected by the other', async () => {
    const instagram = await start();
    const own = await instagram.token('instagram');
    const other = await instagram.token('facebook');
    expect((await get(instagram, '/graph-facebook/v25.0/me', { access_token: own })).name).toBe('190');
    expect((await get(instagram, '/graph-instagram/v25.0/me', { access_token: other })).name).toBe('190');
  });
});

describe('identity', () => {
  test('returns requested fields, and rejects unknown ones', async () => {
    const instagram = await start();
    const access_token = await instagram.token();
    const fields = 'user_id,username,name,account_type,profile_picture_url,media_count';
    const { json } = await get(instagram, '/graph-instagram/v25.0/me', { fields, access_token });
    expect(json).toMatchObject({ user_id: await instagram.igId(), username: 'nora.cuts', account_type: 'BUSINESS' });
    expect(json.id).not.toBe(json.user_id);
    expect((await get(instagram, '/graph-instagram/v25.0/me', { fields: 'shoe_size', access_token })).name).toBe('100');
  });

  test('lists Pages in pages, omitting unpermitted accounts', async () => {
    const instagram = await start();
    const { params } = await consentTo(instagram, 'facebook', {}, { username: 'nora.cuts, wanda', granted: [] });
    const less = (await redeem(instagram, 'facebook', { code: params.get('code') ?? '' })).json.access_token;
    expect((await get(instagram, '/graph-facebook/v25.0/me/accounts', { access_token: less })).name).toBe('200');
    const again = { auth_type: 'rerequest' };
    const all = await consentTo(instagram, 'facebook', again, { username: 'nora.cuts, wanda' });
    const token = (await redeem(instagram, 'facebook', { code: all.params.get('code') ?? '' })).json.access_token;
    const query = { access_token: token, limit: '1', fields: 'id,instagram_business_account{id,username}' };
    const first = await get(instagram, '/graph-facebook/v25.0/me/accounts', query);
    expect(first.json.data).toMatchObject([{ instagram_business_account: { username: 'nora.cuts' } }]);
    const after = first.json.paging.cursors.after;
    const second = await get(instagram, '/graph-facebook/v25.0/me/accounts', { ...query, after });
    expect(second.json.data).toMatchObject([{ instagram_business_account: { username: 'wanda' } }]);
    expect(second.json.paging.next).toBeUndefined();
  });

  test.each(['owned_pages', 'client_pages'] as const)(
    '%s of a portfolio are missing from me/accounts',
    async (edge) => {
      const instagram = await start();
      await instagram.store.put('settings', 'app', { portfolio: edge });
      const asked = { scope: [...SCOPES.facebook, 'business_management'].join(',') };
      const form = { username: 'nora.cuts', granted: asked.scope.split(',') };
      const { params } = await consentTo(instagram, 'facebook', asked, form);
      const access_token = (await redeem(instagram, 'facebook', { code: params.get('code') ?? '' })).json.access_token;
      const list = async (path: string, fields: string) =>
        get(instagram, `/graph-facebook/v25.0/${path}`, { access_token, fields });
      expect((await list('me/accounts', 'id')).json.data).toEqual([]);
      const [business] = (await list('me/businesses', 'id')).json.data;
      const fields = 'id,access_token,instagram_business_account{username}';
      expect((await list(`${business?.id}/${edge}`, fields)).json.data).toMatchObject([
        { access_token: expect.stringMatching(/^EAA/), instagram_business_account: { username: 'nora.cuts' } },
      ]);
      const other = edge === 'owned_pages' ? 'client_pages' : 'owned_pages';
      expect((await list(`${business?.id}/${other}`, fields)).json.data).toEqual([]);
      expect((await list(`${business?.id}/${edge}`, 'id,tasks')).name).toBe('100');
      const without = await instagram.token('instagram');
      expect((await get(instagram, '/graph-facebook/v25.0/me/businesses', { access_token: without })).name).toBe('190');
    },
  );

  test('a doubled slash in a path is accepted', async () => {
    const instagram = await start();
    const access_token = await instagram.token();
    const igId = await instagram.igId();
    const query = { access_token, fields: 'id,ig_id,username' };
    const { json } = await get(instagram, `/graph-instagram/v25.0//${igId}`, query);
    expect(json).toMatchObject({ id: igId, username: 'nora.cuts' });
    expect((await get(instagram, `/graph-instagram/v25.0//${igId}/media`, { access_token })).json.data).toEqual([]);
  });

  test('old versions and unknown paths are errors', async () => {
    const instagram = await start();
    const access_token = await instagram.token();
    expect((await get(instagram, '/graph-instagram/v20.0/me', { access_token })).name).toBe('2635');
    expect((await instagram.call('GET', '/nowhere')).name).toBe('2500');
    expect((await get(instagram, '/graph-instagram/v25.0/me/shoes', { access_token })).name).toBe('100');
  });
});
