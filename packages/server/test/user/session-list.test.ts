import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDeviceParser } from '../../src/users/device.ts';
import { useMoves } from '../../src/users/session-life.ts';
import { type SessionUser, startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

/** Signs the user in again, from a phone. Returns a client with that session. */
async function signInOnPhone(user: SessionUser) {
  const { headers } = await service.client.call('POST', '//api/auth/sign-in/email', {
    json: { email: user.email, password: user.password },
    headers: { origin: service.url, 'user-agent': PHONE, 'x-forwarded-for': '203.0.113.7' },
  });
  const cookie = headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ');
  return service.clientWith({ cookie, 'x-reelay-csrf': '1' });
}

test("the list has the user's sessions with devices", async () => {
  const user = await service.newSession();
  await service.newSession();
  const phone = await signInOnPhone(user);
  const { data } = (await phone.get('/user/sessions')).body;
  expect(data).toHaveLength(2);
  const [current, other] = [true, false].map((current) =>
    data.find((each: { current: boolean }) => each.current === current),
  );
  expect(current).toMatchObject({
    device: { browser: 'Safari', system: 'iOS', type: 'mobile' },
    address: '203.0.113.7',
  });
  expect(other).toMatchObject({ device: { browser: null, system: null, type: 'other' } });
  expect(Object.keys(current).sort()).toEqual(
    ['address', 'createdAt', 'current', 'device', 'expiresAt', 'id', 'lastUsedAt'].sort(),
  );
});

test('the list omits expired sessions', async () => {
  const user = await service.newSession();
  await signInOnPhone(user);
  await service.db.execute(
    `update auth.session set expires_at = now() - interval '1 second' where user_id = $1 and user_agent = $2`,
    [user.userId, PHONE],
  );
  expect((await user.get('/user/sessions')).body.data).toHaveLength(1);
});

test('a user ends one session', async () => {
  const user = await service.newSession();
  const phone = await signInOnPhone(user);
  const { data } = (await user.get('/user/sessions')).body;
  const { id } = data.find((each: { current: boolean }) => !each.current);
  expect((await user.call('DELETE', `/user/sessions/${id}`)).status).toBe(200);
  expect((await phone.get('/user')).status).toBe(401);
  expect((await user.get('/user')).status).toBe(200);
  expect(await user.call('DELETE', `/user/sessions/${id}`)).toMatchObject({
    status: 404,
    body: { code: 'unknown_session' },
  });
});

test("another user's session cannot be ended", async () => {
  const [user, stranger] = [await service.newSession(), await service.newSession()];
  const [{ id }] = (await user.get('/user/sessions')).body.data;
  for (const unknown of [id, randomUUID(), 'nothing'])
    expect(await stranger.call('DELETE', `/user/sessions/${unknown}`)).toMatchObject({
      status: 404,
      body: { code: 'unknown_session' },
    });
  expect((await user.get('/user')).status).toBe(200);
});

test('a user ends all sessions except this one', async () => {
  const [user, stranger] = [await service.newSession(), await service.newSession()];
  const phones = [await signInOnPhone(user), await signInOnPhone(user)];
  expect((await user.post('/user/sessions/revoke-others')).body).toEqual({ success: true, revoked: 2 });
  for (const phone of phones) expect((await phone.get('/user')).status).toBe(401);
  for (const each of [user, stranger]) expect((await each.get('/user')).status).toBe(200);
});

test("the last use is updated in a session's final week", async () => {
  const user = await service.newSession();
  await service.db.execute(
    `update auth.session set created_at = created_at - interval '29 days', updated_at = now() - interval '2 days',
       expires_at = now() + interval '1 day' where user_id = $1`,
    [user.userId],
  );
  await user.get('/user');
  const [{ lastUsedAt, expiresAt }] = (await user.get('/user/sessions')).body.data;
  const [row] = await service.db.query<{ old: boolean; late: boolean }>(
    `select $1::timestamptz < now() - interval '1 minute' as old, $2::timestamptz > now() + interval '25 hours' as late`,
    [lastUsedAt, expiresAt],
  );
  expect(row).toEqual({ old: false, late: false });
});

describe('a device', () => {
  test.each([
    [PHONE, 'Safari', 'iOS', 'mobile'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      'Chrome',
      'Windows',
      'desktop',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox', 'Linux', 'desktop'],
    [
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
      'Chrome',
      'Android',
      'mobile',
    ],
    ['curl/8.14.1', null, null, 'other'],
    ['node', null, null, 'other'],
    ['', null, null, 'other'],
    [null, null, null, 'other'],
    ['('.repeat(4_000), null, null, 'other'],
  ])('is recognized by its user agent: %s', async (userAgent, browser, system, type) => {
    expect((await createDeviceParser())(userAgent)).toEqual({ browser, system, type });
  });
});

test('the last use is written hourly at most', () => {
  const at = { updatedAt: new Date(0) };
  expect(useMoves(at, 3_600_000)).toBe(false);
  expect(useMoves(at, 3_600_001)).toBe(true);
});
