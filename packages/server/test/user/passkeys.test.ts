import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { passkeyHost } from '../../src/users/passkey-host.ts';
import { suspendUser } from '../../src/users/service.ts';
import { createAuthenticator } from '../harness/authenticator.ts';
import { cookiesOf } from '../harness/cookies.ts';
import { type SessionUser, startService, type TestService } from '../harness/service.ts';
import { totp } from '../harness/totp.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterEach(async () => {
  await service.db.execute('delete from rate');
});
afterAll(() => service.close());

const post = (path: string, json: unknown, cookie = '') =>
  service.client.call('POST', `//api/auth${path}`, { json, headers: { origin: service.url, cookie } });
const isSignedIn = async (cookie: string) => (await service.clientWith({ cookie }).get('/user')).status === 200;
const authenticator = (options: { verifiesUser?: boolean } = {}) =>
  createAuthenticator({ rpId: 'localhost', origin: service.url, ...options });
const auditOf = async ({ userId }: SessionUser) =>
  (
    await service.db.query<{ entry: string }>(
      `select actor || ' ' || action as entry from audit where user_id = $1 order by at`,
      [userId],
    )
  ).map(({ entry }) => entry);

/** Begins a registration: the challenge, and the cookies to complete it. */
async function begin(user: SessionUser) {
  const begun = await post('/passkey/generate-register-options', { password: user.password }, user.cookie);
  expect(begun.status).toBe(200);
  return { options: begun.body, cookie: `${user.cookie}; ${cookiesOf(begun)}` };
}

async function add(user: SessionUser, key = authenticator()) {
  const { options, cookie } = await begin(user);
  const added = await post('/passkey/verify-registration', { response: key.register(options) }, cookie);
  return { key, added };
}

async function withPasskey() {
  const user = await service.newSession();
  const { key, added } = await add(user);
  expect(added.status).toBe(200);
  return { user, key };
}

async function challenge() {
  const begun = await post('/passkey/generate-authenticate-options', {});
  expect(begun.status).toBe(200);
  return { options: begun.body, cookie: cookiesOf(begun) };
}

const refused = { status: 401, body: { success: false, code: 'passkey_refused' } };

describe('adding a passkey', () => {
  test('needs a session and its password', async () => {
    const user = await service.newSession();
    const path = '/passkey/generate-register-options';
    expect((await post(path, { password: user.password })).status).toBe(401);
    expect(await post(path, { password: 'not the password' }, user.cookie)).toMatchObject({
      status: 400,
      body: { code: 'invalid_password' },
    });
    expect(await auditOf(user)).toEqual(['visitor session.begin', 'session password.refuse']);
  });

  test('requires verification of the user and lists it', async () => {
    const user = await service.newSession();
    const { options } = await begin(user);
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      authenticatorSelection: { userVerification: 'required', residentKey: 'required' },
    });
    const { added, key } = await add(user);
    expect(added).toMatchObject({ status: 200, body: { name: 'Passkey' } });
    const { data } = (await user.get('/user/passkeys')).body;
    expect(data).toEqual([{ id: added.body.id, name: 'Passkey', createdAt: expect.any(String), lastUsedAt: null }]);
    expect((await auditOf(user)).at(-1)).toBe('session passkey.add');
    expect((await begin(user)).options.excludeCredentials).toMatchObject([{ id: key.id }]);
  });

  test('refuses an authenticator that did not verify its user', async () => {
    const user = await service.newSession();
    const { added } = await add(user, authenticator({ verifiesUser: false }));
    expect(added).toMatchObject({ status: 400, body: { code: 'passkey_refused' } });
    expect((await user.get('/user/passkeys')).body.data).toEqual([]);
  });

  test('a challenge works once, and only for its user', async () => {
    const [user, other] = [await service.newSession(), await service.newSession()];
    const { options, cookie } = await begin(user);
    const stolen = cookie.replace(user.cookie, other.cookie);
    const response = () => authenticator().register(options);
    expect(await post('/passkey/verify-registration', { response: response() }, stolen)).toMatchObject({ status: 400 });
    expect(await post('/passkey/verify-registration', { response: response() }, cookie)).toMatchObject({ status: 400 });
    expect((await other.get('/user/passkeys')).body.data).toEqual([]);
    expect((await user.get('/user/passkeys')).body.data).toEqual([]);
  });

  test('refuses a credential of another user', async () => {
    const { key } = await withPasskey();
    const other = await service.newSession();
    const { added } = await add(other, key);
    expect(added).toMatchObject({ status: 400, body: { code: 'passkey_refused' } });
  });

  test('ends at twenty', async () => {
    const user = await service.newSession();
    await service.db.execute(
      `insert into auth.passkey (user_id, public_key, credential_id, counter, device_type, backed_up)
       select $1::uuid, '', 'x' || n || $1::uuid, 0, 'singleDevice', false from generate_series(1, 20) n`,
      [user.userId],
    );
    const response = await post('/passkey/generate-register-options', { password: user.password }, user.cookie);
    expect(response).toMatchObject({ status: 409, body: { code: 'too_many_passkeys' } });
    expect(await auditOf(user)).toEqual(['visitor session.begin']);
  });
});

describe('signing in with a passkey', () => {
  test('needs no email address and begins a session', async () => {
    const { user, key } = await withPasskey();
    const { options, cookie } = await challenge();
    expect(options).toMatchObject({ userVerification: 'required', rpId: 'localhost' });
    expect(options.allowCredentials ?? []).toEqual([]);
    const done = await post('/passkey/verify-authentication', { response: key.assert(options) }, cookie);
    expect(done).toMatchObject({ status: 200, body: { user: { id: user.userId, email: user.email } } });
    expect(Object.keys(done.body)).toEqual(['user']);
    expect(await isSignedIn(cookiesOf(done))).toBe(true);
    expect((await user.get('/user/sessions')).body.data).toHaveLength(2);
    expect((await user.get('/user/passkeys')).body.data).toMatchObject([{ lastUsedAt: expect.any(String) }]);
    expect((await auditOf(user)).slice(-1)).toEqual(['visitor session.begin']);
  });

  test('names no passkeys of a signed-in user', async () => {
    const { user } = await withPasskey();
    const begun = await post('/passkey/generate-authenticate-options', {}, user.cookie);
    expect(begun.body.allowCredentials ?? []).toEqual([]);
  });

  test('replaces the second factor', async () => {
    const { user, key } = await withPasskey();
    const { totpURI } = (await post('/two-factor/enable', { password: user.password }, user.cookie)).body;
    await post('/two-factor/verify-totp', { code: totp(totpURI) }, user.cookie);
    const { options, cookie } = await challenge();
    const done = await post('/passkey/verify-authentication', { response: key.assert(options) }, cookie);
    expect(done.status).toBe(200);
    expect(await isSignedIn(cookiesOf(done))).toBe(true);
  });

  test.each([
    ['another challenge', {}, true],
    ['another origin', { origin: 'https://evil.example' }, false],
    ['another host', { rpId: 'evil.example' }, false],
    ['an unverified user', { verifiesUser: false }, false],
  ])('refuses %s', async (_name, changes, isOther) => {
    const { user, key } = await withPasskey();
    const { options, cookie } = await challenge();
    const signed = isOther ? (await challenge()).options : options;
    const response = await post('/passkey/verify-authentication', { response: key.assert(signed, changes) }, cookie);
    expect(response).toMatchObject(refused);
    expect(cookiesOf(response)).not.toContain('session_token');
    expect((await auditOf(user)).at(-1)).toBe('visitor session.refuse');
  });

  test('refuses a replayed response', async () => {
    const { key } = await withPasskey();
    const { options, cookie } = await challenge();
    const response = key.assert(options);
    expect((await post('/passkey/verify-authentication', { response }, cookie)).status).toBe(200);
    expect(await post('/passkey/verify-authentication', { response }, cookie)).toMatchObject(refused);
    expect(await post('/passkey/verify-authentication', { response })).toMatchObject(refused);
  });

  test('answers the same for unknown and for foreign passkeys', async () => {
    const { key } = await withPasskey();
    const stranger = authenticator();
    const one = await challenge();
    const unknown = await post(
      '/passkey/verify-authentication',
      { response: stranger.assert(one.options) },
      one.cookie,
    );
    const two = await challenge();
    const forged = { ...stranger.assert(two.options), id: key.id, rawId: key.id };
    const foreign = await post('/passkey/verify-authentication', { response: forged }, two.cookie);
    expect(unknown).toMatchObject(refused);
    expect(foreign.body).toEqual(unknown.body);
    expect(foreign.status).toBe(unknown.status);
  });

  test('is refused to a suspended user', async () => {
    const { user, key } = await withPasskey();
    await suspendUser(service.db, user.email);
    const { options, cookie } = await challenge();
    const response = await post('/passkey/verify-authentication', { response: key.assert(options) }, cookie);
    expect(response).toMatchObject({ status: 403, body: { code: 'account_suspended' } });
  });

  test('is limited for a passkey', async () => {
    const { key } = await withPasskey();
    const attempt = async () => {
      const { options, cookie } = await challenge();
      const response = key.assert(options, { verifiesUser: false });
      return (await post('/passkey/verify-authentication', { response }, cookie)).status;
    };
    const statuses: number[] = [];
    while (statuses.length < 14) statuses.push(await attempt());
    expect(statuses.filter((status) => status === 401)).toHaveLength(11);
    expect(statuses.at(-1)).toBe(429);
  });

  test('challenges are limited, used or not', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 70 }, async () => (await post('/passkey/generate-authenticate-options', {})).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  });
});

describe('a passkey', () => {
  test('is renamed by its owner only', async () => {
    const { user } = await withPasskey();
    const other = await service.newSession();
    const [{ id }] = (await user.get('/user/passkeys')).body.data;
    const rename = (by: SessionUser, name: string) => by.call('PATCH', `/user/passkeys/${id}`, { json: { name } });
    expect(await rename(other, 'Mine')).toMatchObject({ status: 404, body: { code: 'unknown_passkey' } });
    expect((await rename(user, ' ')).status).toBe(400);
    expect(await rename(user, ' My phone ')).toMatchObject({ status: 200, body: { data: { name: 'My phone' } } });
    expect((await auditOf(user)).at(-1)).toBe('session passkey.rename');
  });

  test('is removed by its owner with the password', async () => {
    const { user, key } = await withPasskey();
    const other = await service.newSession();
    const [{ id }] = (await user.get('/user/passkeys')).body.data;
    const remove = (by: SessionUser, password = by.password) =>
      post('/passkey/delete-passkey', { id, password }, by.cookie);
    expect(await remove(other)).toMatchObject({ status: 404, body: { code: 'unknown_passkey' } });
    expect(await auditOf(other)).toEqual(['visitor session.begin']);
    expect(await remove(user, 'not the password')).toMatchObject({ status: 400, body: { code: 'invalid_password' } });
    expect((await user.get('/user/passkeys')).body.data).toHaveLength(1);
    expect((await remove(user)).status).toBe(200);
    expect((await auditOf(user)).slice(-2)).toEqual(['session password.refuse', 'session passkey.remove']);
    const { options, cookie } = await challenge();
    expect(await post('/passkey/verify-authentication', { response: key.assert(options) }, cookie)).toMatchObject(
      refused,
    );
  });
});

test.each([
  ['http://localhost:3000', { name: 'localhost', origin: 'http://localhost:3000' }],
  ['http://127.0.0.1:3000', { name: 'localhost', origin: 'http://localhost:3000' }],
  ['http://[::1]', { name: 'localhost', origin: 'http://localhost' }],
  ['https://reelay.example.org', { name: 'reelay.example.org', origin: 'https://reelay.example.org' }],
  ['http://reelay.example.org', null],
  ['https://192.0.2.1', null],
  ['https://[2001:db8::1]', null],
])('passkeys of %s are bound to its host', (publicUrl, host) => {
  expect(passkeyHost(publicUrl)).toEqual(host);
});
