import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type SessionUser, startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterEach(async () => {
  await service.db.execute('delete from rate');
});
afterAll(() => service.close());

const remove = (json: unknown, cookie = '') =>
  service.client.call('POST', '//api/auth/delete-user', { json, headers: { origin: service.url, cookie } });
const exists = async ({ userId }: SessionUser) =>
  (await service.db.query('select from auth."user" where id = $1', [userId])).length > 0;
const newUser = async () => {
  const user = await service.newSession();
  await service.db.execute('update auth."user" set operator = false where id = $1', [user.userId]);
  return user;
};

test('a deletion removes the user and all sessions only', async () => {
  const [user, stranger] = [await newUser(), await newUser()];
  expect(await remove({ password: user.password }, user.cookie)).toMatchObject({ status: 200, body: { status: true } });
  expect(await exists(user)).toBe(false);
  expect(await exists(stranger)).toBe(true);
  expect((await user.get('/user')).status).toBe(401);
  expect((await stranger.get('/user')).status).toBe(200);
  const [audited] = await service.db.query(
    `select user_id, actor from audit where action = 'user.delete' and subject = $1`,
    [user.userId],
  );
  expect(audited).toEqual({ user_id: null, actor: 'session' });
});

test('a deletion needs the password of the session', async () => {
  const [user, stranger] = [await newUser(), await newUser()];
  expect(await remove({ password: `${user.password}x` }, user.cookie)).toMatchObject({
    status: 400,
    body: { success: false, code: 'invalid_password' },
  });
  expect((await remove({ password: user.password })).status).toBe(401);
  expect((await remove({}, user.cookie)).status).toBe(400);
  expect((await remove({ password: stranger.password, email: stranger.email }, user.cookie)).status).toBe(400);
  expect(await exists(user)).toBe(true);
  expect(await exists(stranger)).toBe(true);
  const audited = await service.db.query(`select actor from audit where action = 'password.refuse' and user_id = $1`, [
    user.userId,
  ]);
  expect(audited).toEqual([{ actor: 'session' }]);
});

test('wrong passwords count as guesses', async () => {
  const user = await newUser();
  const statuses: number[] = [];
  for (let guess = 0; guess < 30 && !statuses.includes(429); guess++)
    statuses.push((await remove({ password: `wrong guess ${guess}` }, user.cookie)).status);
  expect(statuses.at(-1)).toBe(429);
  expect((await remove({ password: user.password }, user.cookie)).status).toBe(429);
  expect(await exists(user)).toBe(true);
});

test('the operator stays while others need the service', async () => {
  const [operator] = [await newUser(), await newUser()];
  await service.db.execute('update auth."user" set operator = true where id = $1', [operator.userId]);
  expect(await remove({ password: operator.password }, operator.cookie)).toMatchObject({
    status: 409,
    body: { code: 'operator_needed' },
  });
  expect(await exists(operator)).toBe(true);
  await service.db.execute('delete from auth."user" where id <> $1', [operator.userId]);
  expect((await remove({ password: operator.password }, operator.cookie)).status).toBe(200);
  expect(await exists(operator)).toBe(false);
});
