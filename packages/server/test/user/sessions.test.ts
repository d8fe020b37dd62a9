import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_S, endMoves } from '../../src/users/session-life.ts';
import { type SessionUser, startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const NEW = 'another passphrase';
const change = (user: SessionUser, more: Record<string, unknown> = {}) =>
  user.call('POST', '//api/auth/change-password', {
    json: { currentPassword: user.password, newPassword: NEW, ...more },
    headers: { origin: service.url },
  });
const signIn = (email: string, password: string) =>
  service.client.call('POST', '//api/auth/sign-in/email', {
    json: { email, password },
    headers: { origin: service.url },
  });
const cookieOf = (headers: Headers) =>
  headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ');

describe('a password change', () => {
  test('ends all other sessions and keeps this one', async () => {
    const user = await service.newSession();
    const other = cookieOf((await signIn(user.email, user.password)).headers);
    const before = service.clientWith({ cookie: other });
    expect((await before.get('/reposts')).status).toBe(200);
    const response = await change(user, { revokeOtherSessions: false });
    expect(response).toMatchObject({ status: 200, body: { apiKey: 'none' } });
    expect((await before.get('/reposts')).status).toBe(401);
    expect((await user.get('/reposts')).status).toBe(401);
    expect((await service.clientWith({ cookie: cookieOf(response.headers) }).get('/reposts')).status).toBe(200);
    expect((await signIn(user.email, user.password)).status).toBe(401);
    expect((await signIn(user.email, NEW)).status).toBe(200);
  });

  test('keeps the API key and reports it', async () => {
    const user = await service.newSession();
    const key = (await user.post('/user/api-key/generate')).body.data;
    expect((await change(user)).body).toMatchObject({ apiKey: 'active' });
    expect((await service.clientWith({ authorization: `Bearer ${key}` }).get('/reposts')).status).toBe(200);
  });

  test('revokes the API key on request', async () => {
    const user = await service.newSession();
    const key = (await user.post('/user/api-key/generate')).body.data;
    expect((await change(user, { revokeApiKey: true })).body).toMatchObject({ apiKey: 'revoked' });
    expect((await service.clientWith({ authorization: `Bearer ${key}` }).get('/reposts')).status).toBe(401);
  });

  test('requires the current password, else keeps the key', async () => {
    const user = await service.newSession();
    const key = (await user.post('/user/api-key/generate')).body.data;
    const response = await change(user, { currentPassword: 'not the password', revokeApiKey: true });
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_password' } });
    expect((await service.clientWith({ authorization: `Bearer ${key}` }).get('/reposts')).status).toBe(200);
    expect((await user.get('/reposts')).status).toBe(200);
  });

  test('rejects a common password', async () => {
    const user = await service.newSession();
    await service.db.execute('delete from rate');
    expect(await change(user, { newPassword: 'password1234' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', message: expect.stringContaining('too common') },
    });
    expect(
      await service.db.query('select from rate where starts_with(key, $1) and cardinality(moments) > 0', ['account']),
    ).toEqual([]);
  });
});

describe('a session', () => {
  const rowOf = async (user: SessionUser) => {
    const [row] = await service.db.query<{ idle: number; life: number }>(
      `select extract(epoch from expires_at - now())::int as idle,
         extract(epoch from expires_at - created_at)::int as life
       from auth.session where user_id = $1`,
      [user.userId],
    );
    return row ?? { idle: 0, life: 0 };
  };
  const shift = (user: SessionUser, days: number) =>
    service.db.execute(
      `update auth.session set created_at = created_at - make_interval(days => $2),
         expires_at = expires_at - make_interval(days => $2) where user_id = $1`,
      [user.userId, days],
    );

  test('ends after seven days without use', async () => {
    const user = await service.newSession();
    expect(Math.abs((await rowOf(user)).idle - 7 * DAY_S)).toBeLessThan(60);
    await shift(user, 8);
    expect((await user.get('/reposts')).status).toBe(401);
  });

  test('lasts up to thirty days while it is used', async () => {
    const user = await service.newSession();
    for (const days of [6, 6, 6, 6, 5]) {
      await shift(user, days);
      expect((await user.get('/reposts')).status).toBe(200);
    }
    expect((await rowOf(user)).life).toBe(30 * DAY_S);
    await shift(user, 2);
    expect((await user.get('/reposts')).status).toBe(401);
  });

  test('is listed and ended by its user', async () => {
    const user = await service.newSession();
    await signIn(user.email, user.password);
    expect((await user.get('/user/sessions')).body.data).toHaveLength(2);
    const out = await user.call('POST', '//api/auth/revoke-sessions', { json: {}, headers: { origin: service.url } });
    expect(out.status).toBe(200);
    expect((await user.get('/reposts')).status).toBe(401);
  });
});

test('a user keeps the newest fifty sessions', async () => {
  const user = await service.newSession();
  await service.db.execute(
    `insert into auth.session (user_id, token, created_at, expires_at)
     select $1::uuid, n || $1::text, now() - interval '1 day' + n * interval '1 second', now() + interval '1 day'
     from generate_series(1, 60) n`,
    [user.userId],
  );
  expect((await user.get('/user/sessions')).body.data).toHaveLength(50);
  const [one, other] = await Promise.all([signIn(user.email, user.password), signIn(user.email, user.password)]);
  for (const { headers } of [one, other]) {
    const { data } = (await service.clientWith({ cookie: cookieOf(headers) }).get('/user/sessions')).body;
    expect(data).toHaveLength(50);
  }
  expect((await user.get('/reposts')).status).toBe(200);
});

test('each sign-in has a new random token', async () => {
  const user = await service.newSession();
  const again = await service.client.call('POST', '//api/auth/sign-in/email', {
    json: { email: user.email, password: user.password },
    headers: { origin: service.url, cookie: user.cookie },
  });
  const tokenOf = (cookie: string) => /session_token=([^;]+)/.exec(cookie)?.[1] ?? '';
  const [before, after] = [tokenOf(user.cookie), tokenOf(again.headers.getSetCookie().join('; '))];
  expect(after).not.toBe(before);
  expect([before, after].every((token) => decodeURIComponent(token).split('.')[0]?.length === 32)).toBe(true);
});

test('a long user agent is cut', async () => {
  const user = await service.newSession();
  const { status } = await service.client.call('POST', '//api/auth/sign-in/email', {
    json: { email: user.email, password: user.password },
    headers: { origin: service.url, 'user-agent': 'a'.repeat(4_096) },
  });
  const stored = await service.db.query(
    'select max(length(user_agent)) as length from auth.session where user_id = $1',
    [user.userId],
  );
  expect([status, stored]).toEqual([200, [{ length: 512 }]]);
});

test('no response contains the token of a session', async () => {
  const user = await service.newSession();
  const signedIn = await signIn(user.email, user.password);
  const changed = await change(user);
  const current = await service.clientWith({ cookie: cookieOf(changed.headers) }).get('//api/auth/get-session');
  expect(current.body).toMatchObject({ session: { expiresAt: expect.any(String) }, user: { email: user.email } });
  const tokens = await service.db.query<{ token: string }>('select token from auth.session');
  for (const { body } of [signedIn, changed, current]) {
    expect(JSON.stringify(body)).not.toContain('"token"');
    for (const { token } of tokens) expect(JSON.stringify(body)).not.toContain(token);
  }
});

test.each(['list-sessions', 'revoke-session'])('the route %s is not served', async (path) => {
  const user = await service.newSession();
  for (const method of ['GET', 'POST']) {
    const { status } = await user.call(method, `//api/auth/${path}`, { headers: { origin: service.url } });
    expect(status).toBe(404);
  }
});

test('a session is extended hourly at most', () => {
  const day = DAY_S * 1000;
  const at = (created: number, expires: number) => ({ createdAt: new Date(created), expiresAt: new Date(expires) });
  expect(endMoves(at(0, 7 * day), 1_000)).toBe(false);
  expect(endMoves(at(0, 7 * day), 3_599_000)).toBe(false);
  expect(endMoves(at(0, 7 * day), 3_601_000)).toBe(true);
  expect(endMoves(at(0, 30 * day), 29 * day)).toBe(false);
});
