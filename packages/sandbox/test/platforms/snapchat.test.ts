import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../harness/after-test.ts';
import { isWholeUpload } from '../harness/simulator.ts';
import { encipher, type JsonResponse, type Snapchat, said, startSnapchat, VIDEO } from './snapchat-calls.ts';

const start = closedAfterTest(startSnapchat);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const INVALID = [400, 'INVALID_REQUEST'];

describe('simulated Snapchat consent and tokens', () => {
  const REDIRECT = 'https://clip.example/oauth/snapchat/callback';
  const APP = { client_id: 'sandbox-client', client_secret: 'sandbox-secret' };
  const query = (changes: Record<string, string> = {}) =>
    new URLSearchParams({
      client_id: 'sandbox-client',
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: 'snapchat-profile-api',
      state: 'x',
      ...changes,
    });
  const decide = (snapchat: Snapchat, fields: Record<string, string>) =>
    snapchat.call('POST', `/login/oauth2/authorize?${query()}`, {
      authorization: null,
      form: { username: 'nora', decision: 'allow', granted: 'snapchat-profile-api', ...fields },
    });
  const back = (response: JsonResponse) => new URL(response.headers.get('location') ?? 'none:').searchParams;
  const token = (snapchat: Snapchat, form: Record<string, string>) =>
    snapchat.call('POST', '/login/oauth2/access_token', { form, authorization: null });
  const redeem = (snapchat: Snapchat, code: string, redirect_uri = REDIRECT) =>
    token(snapchat, { ...APP, grant_type: 'authorization_code', code, redirect_uri });
  const renew = (snapchat: Snapchat, refresh_token: unknown) =>
    token(snapchat, { ...APP, grant_type: 'refresh_token', refresh_token: String(refresh_token) });
  const grant = ({ status, json }: JsonResponse) => [status, json.error];

  test('return tokens', async () => {
    const snapchat = await start();
    const page = await snapchat.call('GET', `/login/oauth2/authorize?${query()}`, { authorization: null });
    expect(page.text).toContain('value="snapchat-profile-api" checked');
    const response = await decide(snapchat, {});
    expect([response.status, back(response).get('state')]).toEqual([302, 'x']);
    const { json } = await redeem(snapchat, back(response).get('code') ?? '');
    expect(json).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, scope: 'snapchat-profile-api' });
    const authorization = `Bearer ${json.access_token}`;
    expect((await snapchat.call('GET', '/v1/public_profiles/my_profile', { authorization })).status).toBe(200);
  });

  test('without the scope give no access', async () => {
    const snapchat = await start();
    const { json } = await redeem(snapchat, back(await decide(snapchat, { granted: '' })).get('code') ?? '');
    const authorization = `Bearer ${json.access_token}`;
    const response = await snapchat.call('GET', '/v1/public_profiles/my_profile', { authorization });
    expect(said(response)).toEqual([403, 'AUTHORIZATION_PERMISSION_DENIED']);
  });

  test.each([
    ['another application', { client_id: 'x' }, 'client_id'],
    ['an address without TLS', { redirect_uri: 'http://clip.example/x' }, 'redirect_uri'],
    ['another kind of response', { response_type: 'token' }, 'response_type'],
    ['an unknown scope', { scope: 'all' }, 'scope'],
  ])('are not requested for %s', async (_name, changes, named) => {
    const snapchat = await start();
    const page = await snapchat.call('GET', `/login/oauth2/authorize?${query(changes)}`, { authorization: null });
    expect([page.status, page.text.includes(`${named}:`)]).toEqual([400, true]);
  });

  test('redirect without a code after a denial', async () => {
    const snapchat = await start();
    const response = back(await decide(snapchat, { decision: 'deny' }));
    expect([response.get('error'), response.get('code')]).toEqual(['access_denied', null]);
  });

  test('accept a code once, for ten minutes, and its URI', async () => {
    const snapchat = await start();
    const code = async () => back(await decide(snapchat, {})).get('code') ?? '';
    const first = await code();
    expect(grant(await redeem(snapchat, first, `${REDIRECT}/`))).toEqual([400, 'invalid_grant']);
    expect((await redeem(snapchat, first)).status).toBe(200);
    expect(grant(await redeem(snapchat, first))).toEqual([400, 'invalid_grant']);
    const late = await code();
    snapchat.clock.now += 600_000;
    expect(grant(await redeem(snapchat, late))).toEqual([400, 'invalid_grant']);
  });

  test.each([
    ['a wrong secret', { ...APP, client_secret: 'x', grant_type: 'refresh_token' }, [401, 'invalid_client']],
    ['an unknown kind of grant', { ...APP, grant_type: 'password' }, [400, 'unsupported_grant_type']],
    ['no code', { ...APP, grant_type: 'authorization_code' }, [400, 'invalid_request']],
    ['an unknown refresh token', { ...APP, grant_type: 'refresh_token', refresh_token: 'x' }, [400, 'invalid_grant']],
  ])('are not issued for %s', async (_name, form, expected) => {
    const snapchat = await start();
    expect(grant(await token(snapchat, form))).toEqual(expected);
  });

  test('rotate on refresh, or keep the refresh token', async () => {
    const snapchat = await start();
    const old = snapchat.tokenAnswer?.refresh_token;
    const { json } = await renew(snapchat, old);
    expect(grant(await renew(snapchat, old))).toEqual([400, 'invalid_grant']);
    await snapchat.set({ rotates: false });
    for (const _ of [1, 2]) {
      const again = await renew(snapchat, json.refresh_token);
      expect([again.status, 'refresh_token' in again.json]).toEqual([200, false]);
    }
  });

  test('live an hour', async () => {
    const snapchat = await start();
    snapchat.clock.now += 3_600_000;
    expect((await snapchat.call('GET', '/v1/public_profiles/my_profile')).status).toBe(401);
  });
});

describe('simulated Snapchat profile', () => {
  test('has one of two formats', async () => {
    const snapchat = await start();
    const ask = async () => (await snapchat.call('GET', '/v1/public_profiles/my_profile')).json;
    const profile = { id: snapchat.remoteId, snap_user_name: 'nora', profile_type: 'PUBLIC_PROFILE' };
    const first = await ask();
    expect(first).toMatchObject({ request_status: 'SUCCESS', public_profile: profile });
    await snapchat.set({ profileShape: 'list' });
    const listed = { public_profiles: [{ sub_request_status: 'SUCCESS', public_profile: profile }] };
    expect(await ask()).toMatchObject(listed);
    const { organization_id } = first.public_profile as { organization_id: string };
    const all = await snapchat.call('GET', `/v1/organizations/${organization_id}/public_profiles`);
    expect(all.json).toMatchObject(listed);
  });

  test.each(['code', 'empty'] as const)('is hidden from a client without access (%s)', async (forbidden) => {
    const snapchat = await start();
    await snapchat.set({ allowlisted: false, forbidden });
    const response = await snapchat.call('GET', '/v1/public_profiles/my_profile');
    expect(said(response)).toEqual([403, forbidden === 'code' ? 'AUTHORIZATION_PERMISSION_DENIED' : undefined]);
    expect(response.text === '').toBe(forbidden === 'empty');
    expect(response.headers.has('grpc-message')).toBe(forbidden === 'empty');
  });

  test('requires a token and hides other profiles', async () => {
    const snapchat = await start();
    const { remoteId } = await snapchat.simulator.enrol('ida');
    expect((await snapchat.call('GET', `/v1/public_profiles/${remoteId}/spotlights`)).status).toBe(403);
    for (const authorization of [null, 'Bearer x'])
      expect((await snapchat.call('GET', `${snapchat.base}/spotlights`, { authorization })).status).toBe(401);
  });
});

describe('simulated Snapchat media', () => {
  test.each<[string, object]>([
    ['another type', { type: 'AUDIO' }],
    ['no name', { name: '' }],
    ['a short key', { key: randomBytes(16).toString('base64') }],
    ['a key in hexadecimal', { key: randomBytes(32).toString('hex') }],
    ['a long vector', { iv: randomBytes(32).toString('base64') }],
    ['no vector', { iv: undefined }],
    ['an unknown field', { size: 7 }],
  ])('are not created with %s', async (_name, changes) => {
    const snapchat = await start();
    expect(said(await snapchat.create(snapchat.mediaOf(changes)))).toEqual(INVALID);
  });

  test('are decrypted from parts in any order', async () => {
    const snapchat = await start();
    const bytes = randomBytes(100_000);
    const asked = snapchat.mediaOf();
    const { media_id, add_path, finalize_path } = (await snapchat.create(asked)).json as Record<string, string>;
    expect([add_path?.startsWith('/'), finalize_path]).toEqual([true, add_path]);
    const whole = encipher(bytes, asked.key, asked.iv);
    const [path = '', half] = [add_path, 50_000];
    expect((await snapchat.add(path, 2, whole.subarray(half))).json.request_status).toBe('SUCCESS');
    expect(said(await snapchat.finalize(path))).toEqual(INVALID);
    await snapchat.add(path, 1, Buffer.from('a first try, which the second takes the place of'));
    await snapchat.add(path, 1, whole.subarray(0, half));
    for (const _ of [1, 2]) expect((await snapchat.finalize(path)).json.request_status).toBe('SUCCESS');
    expect(said(await snapchat.add(path, 3, bytes))).toEqual(INVALID);
    await snapchat.post({ media_id: media_id ?? '', description: 'whole' });
    const [entry] = await snapchat.published();
    expect(entry && (await isWholeUpload(snapchat, entry, { bytes: 100_000, sha256: sha256(bytes) }))).toBe(true);
  });

  test.each<[string, Record<string, string>, Buffer | undefined]>([
    ['another action', { action: 'PUT', part_number: '1' }, VIDEO],
    ['part 0', { action: 'ADD', part_number: '0' }, VIDEO],
    ['part 36', { action: 'ADD', part_number: '36' }, VIDEO],
    ['no number', { action: 'ADD' }, VIDEO],
    ['no file', { action: 'ADD', part_number: '1' }, undefined],
    ['a file at the end', { action: 'FINALIZE' }, VIDEO],
    ['nothing to finalize', { action: 'FINALIZE' }, undefined],
  ])('are not accepted with %s', async (_name, fields, file) => {
    const snapchat = await start();
    const { add_path } = (await snapchat.create()).json;
    expect(said(await snapchat.multipart(String(add_path), fields, file))).toEqual(INVALID);
  });

  test('are rejected with a 32 MiB part or another format', async () => {
    const snapchat = await start();
    const path = String((await snapchat.create()).json.add_path);
    const response = await snapchat.add(path, 1, Buffer.alloc(32 * 1024 * 1024));
    expect([response.status, response.json.display_message]).toEqual([400, 'Media size is too large']);
    expect((await snapchat.add(path, 1, Buffer.alloc(31 * 1024 * 1024))).status).toBe(200);
    expect(said(await snapchat.call('POST', path, { form: { action: 'FINALIZE' } }))).toEqual(INVALID);
  });

  test('are usable for one day by their profile', async () => {
    const snapchat = await start();
    const path = String((await snapchat.create()).json.add_path);
    snapchat.clock.now += 3_500_000;
    expect((await snapchat.add(path, 1, VIDEO)).status).toBe(200);
    const other = path.replace(/[0-9a-f-]{36}(?=\/multipart)/, '00000000-0000-4000-8000-000000000000');
    expect(said(await snapchat.add(other, 1, VIDEO))).toEqual([400, 'MEDIA_NOT_FOUND']);
  });
});

describe('simulated Snapchat spotlight', () => {
  const one = async (snapchat: Snapchat, changes: object = {}) => ({
    media_id: await snapchat.uploaded(),
    description: 'Part 2 #sea',
    skip_save_to_profile: false,
    ...changes,
  });

  test('is readable, reviewed, listed, and published', async () => {
    const snapchat = await start();
    const posted = await snapchat.post(await one(snapchat));
    const id = String(posted.json.spotlight_id);
    expect([posted.status, posted.json.request_status, id.startsWith('W7_')]).toEqual([200, 'SUCCESS', true]);
    const [entry, ...more] = await snapchat.published();
    expect([entry?.id, entry?.text, more]).toEqual([id, 'Part 2 #sea', []]);
    expect(entry && (await isWholeUpload(snapchat, entry, { bytes: VIDEO.length, sha256: sha256(VIDEO) }))).toBe(true);
    expect((await fetch(entry?.url ?? '')).status).toBe(200);
    const shown = { id, profile_id: snapchat.remoteId, caption: 'Part 2 #sea', created_at: '2026-11-21T10:00:00.000Z' };
    for (const path of ['/spotlights', `/spotlights/${id}`])
      expect((await snapchat.call('GET', snapchat.base + path)).json.spotlights).toMatchObject([
        { sub_request_status: 'SUCCESS', spotlight: { ...shown, status: 'LIVE' } },
      ]);
  });

  test('waits for processing and then for the review', async () => {
    const snapchat = await start({ processingMs: 1_000 });
    const json = await one(snapchat);
    expect(said(await snapchat.post(json))).toEqual([400, 'MEDIA_PROCESSING']);
    await snapchat.set({ errorStatus: 200 });
    expect(said(await snapchat.post(json))).toEqual([200, 'MEDIA_PROCESSING']);
    snapchat.clock.now += 1_000;
    const id = (await snapchat.post(json)).json.spotlight_id;
    const status = async () => (await snapchat.call('GET', `${snapchat.base}/spotlights/${id}`)).text;
    expect(await status()).toContain('"SUBMITTED"');
    snapchat.clock.now += 1_000;
    expect(await status()).toContain('"LIVE"');
  });

  test('is created twice unless the first is in progress', async () => {
    const snapchat = await start();
    const json = await one(snapchat);
    for (const _ of [1, 2]) expect((await snapchat.post(json)).status).toBe(200);
    expect(await snapchat.published()).toHaveLength(2);
    await snapchat.set({ postingMs: 60_000 });
    expect(said(await snapchat.post(json))).toEqual([400, 'MEDIA_POSTING_ALREADY_IN_PROGRESS']);
    snapchat.clock.now += 60_000;
    expect((await snapchat.post(json)).status).toBe(200);
  });

  test.each<[string, object]>([
    ['no media', { media_id: undefined }],
    ['no locale', { locale: undefined }],
    ['a locale with a hyphen', { locale: 'en-US' }],
    ['a description of 161', { description: 'x'.repeat(161) }],
    ['a switch that is no switch', { skip_save_to_profile: 'no' }],
    ['an unknown field', { title: 'x' }],
  ])('is not created with %s', async (_name, changes) => {
    const snapchat = await start();
    expect(said(await snapchat.post(await one(snapchat, changes)))).toEqual(INVALID);
    expect(await snapchat.published()).toEqual([]);
  });

  test('is not created from invalid or expired media', async () => {
    const snapchat = await start();
    const post = (media_id: unknown) => snapchat.post({ media_id, description: 'x' });
    expect(said(await post('x'))).toEqual([400, 'MEDIA_NOT_FOUND']);
    const { media_id, add_path } = (await snapchat.create()).json;
    expect(said(await post(media_id))).toEqual([400, 'MEDIA_NOT_READY']);
    await snapchat.add(String(add_path), 1, VIDEO.subarray(0, 33));
    await snapchat.finalize(String(add_path));
    expect(said(await post(media_id))).toEqual([400, 'MEDIA_INVALID']);
    const fit = await snapchat.uploaded();
    await snapchat.store.change<object>('medium', fit, (medium) => ({ ...medium, createdAt: 0 }));
    expect(said(await post(fit))).toEqual([400, 'MEDIA_EXPIRED']);
  });

  test('may be listed late, unordered, or in pages', async () => {
    const snapchat = await start();
    await snapchat.set({ listLagMs: 60_000, oldestFirst: true });
    const ids = [];
    for (let index = 0; index < 3; index++) ids.push((await snapchat.post(await one(snapchat))).json.spotlight_id);
    const list = async (limit: number | string) => {
      const response = await snapchat.call('GET', `${snapchat.base}/spotlights?limit=${limit}`);
      const found = (response.json.spotlights ?? []) as { spotlight: { id: string } }[];
      return response.status === 200 ? found.map(({ spotlight }) => spotlight.id) : said(response);
    };
    expect(await list(20)).toEqual([]);
    snapchat.clock.now += 60_000;
    expect(await list(2)).toEqual(ids.slice(0, 2));
    for (const limit of [0, 101, 'x']) expect(await list(limit)).toEqual(INVALID);
  });

  test('of another profile is not found', async () => {
    const snapchat = await start();
    const response = await snapchat.call('GET', `${snapchat.base}/spotlights/W7_x`);
    expect(said(response)).toEqual([400, 'SPOTLIGHT_NOT_FOUND']);
  });
});

describe('simulated Snapchat fault by tag', () => {
  test.each([
    ['reconnect', [401, 401], 0],
    ['rate-limit', [429, 429, 200], 1],
    ['down', [503, 503, 503, 200], 1],
  ])('handles %s', async (tag, expected, published) => {
    const snapchat = await start();
    const json = { media_id: await snapchat.uploaded(), description: `hello #sandbox-${tag}` };
    const responses: unknown[] = [];
    for (const _ of expected) responses.push((await snapchat.post(json)).status);
    expect(responses).toEqual(expected);
    expect(await snapchat.published()).toHaveLength(published);
  });

  test.each([
    ['reject', 'REJECTED', 0],
    ['slow', 'LIVE', 1],
  ])('%s appears in the review', async (tag, last, published) => {
    const snapchat = await start({ processingMs: 1_000 });
    const media_id = await snapchat.uploaded();
    snapchat.clock.now += 1_000;
    const { spotlight_id } = (await snapchat.post({ media_id, description: `#sandbox-${tag}` })).json;
    const status = async () => (await snapchat.call('GET', `${snapchat.base}/spotlights/${spotlight_id}`)).text;
    expect(await status()).toContain('"SUBMITTED"');
    snapchat.clock.now += 30_000;
    expect(await status()).toContain(`"${last}"`);
    expect(await snapchat.published()).toHaveLength(published);
  });

  test('lost-answer creates the spotlight without a response', async () => {
    const snapchat = await start();
    const media_id = await snapchat.uploaded();
    await expect(snapchat.post({ media_id, description: '#sandbox-lost-answer' })).rejects.toThrow();
    expect(await snapchat.published()).toHaveLength(1);
  });
});

test('simulated Snapchat store survives a restart', async () => {
  const first = await start();
  const json = { media_id: await first.uploaded(), description: 'later' };
  const second = await start({ store: first.store, blobs: first.blobs });
  expect((await second.post(json)).status).toBe(200);
  expect(await first.published()).toHaveLength(1);
});
