import { afterAll, beforeAll, expect, test } from 'vitest';
import { assertStillAuthorized } from '../../src/keys/credential.ts';
import { hashKey, makeKey } from '../../src/keys/format.ts';
import { suspendUser } from '../../src/users/service.ts';
import { createClient, startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const bearer = (key: string) => service.clientWith({ authorization: `Bearer ${key}` });

test('key information contains the prefix and creation time', async () => {
  const user = await service.newUser();
  const { status, body } = await user.get('/user/api-key');
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ keyPrefix: user.key.slice(0, 12), isActive: true });
  expect(body.data.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('info and revoke return 404 without a key', async () => {
  const user = await service.newSession();
  expect(await user.get('/user/api-key')).toMatchObject({ status: 404, body: { code: 'no_api_key' } });
  expect(await user.post('/user/api-key/revoke')).toMatchObject({ status: 404, body: { code: 'no_api_key' } });
});

test('a session creates the first key, which works', async () => {
  const user = await service.newSession();
  const { status, body } = await user.post('/user/api-key/generate');
  expect(status).toBe(200);
  expect((await bearer(body.data).get('/platform/platforms')).status).toBe(200);
});

test('a new key invalidates the old one on all nodes', async () => {
  const other = await startService({ config: { databaseUrl: service.db.url } });
  try {
    const user = await service.newUser();
    const elsewhere = other.clientWith({ authorization: `Bearer ${user.key}` });
    expect((await elsewhere.get('/reposts')).status).toBe(200);
    const { body } = await user.post('/user/api-key/generate');
    expect((await elsewhere.get('/reposts')).status).toBe(401);
    expect((await user.get('/reposts')).status).toBe(401);
    expect((await bearer(body.data).get('/reposts')).status).toBe(200);
  } finally {
    await other.close();
  }
});

test('a revoked key fails immediately; revoking again succeeds', async () => {
  const session = await service.newSession();
  const { body } = await session.post('/user/api-key/generate');
  const client = bearer(body.data);
  expect((await client.post('/user/api-key/revoke')).body).toEqual({ success: true });
  expect(await client.get('/reposts')).toMatchObject({ status: 401, body: { success: false, code: 'unauthorized' } });
  expect(await client.post('/user/api-key/generate')).toMatchObject({ status: 401 });
  expect((await session.post('/user/api-key/revoke')).status).toBe(200);
  expect((await session.get('/user/api-key')).body.data).toMatchObject({ isActive: false });
});

test('the last of concurrently generated keys is valid', async () => {
  const session = await service.newSession();
  const made = await Promise.all(Array.from({ length: 10 }, () => session.post('/user/api-key/generate')));
  const responses = await Promise.all(made.map(({ body }) => bearer(body.data).get('/reposts')));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('the last use is null at first, then minute-precise', async () => {
  const session = await service.newSession();
  const { body } = await session.post('/user/api-key/generate');
  const lastUse = async () => (await session.get('/user/api-key')).body.data.lastUsedAt;
  expect(await lastUse()).toBeNull();
  const client = bearer(body.data);
  const first = (await client.get('/user/api-key')).body.data.lastUsedAt;
  expect(first).not.toBeNull();
  await service.db.clock.advance(30_000);
  await client.get('/reposts');
  expect(await lastUse()).toBe(first);
  await service.db.clock.advance(31_000);
  await client.get('/reposts');
  expect(Date.parse(await lastUse()) - Date.parse(first)).toBeGreaterThanOrEqual(61_000);
});

test('reading the key information counts as a use', async () => {
  const user = await service.newUser();
  expect((await user.get('/user/api-key')).body.data.lastUsedAt).not.toBeNull();
});

test('all invalid keys are rejected in the same way', async () => {
  const user = await service.newUser();
  const wrong = [makeKey(), `${user.key.slice(0, -1)}${user.key.endsWith('0') ? '1' : '0'}`, 'rly_', 'secret'];
  for (const key of wrong) expect((await bearer(key).get('/reposts')).status).toBe(401);
  for (const authorization of ['Basic dTpw', 'Bearer', `Bearer ${user.key} x`, user.key, ''])
    expect((await service.clientWith({ authorization }).get('/reposts')).status).toBe(401);
  expect((await service.client.get('/reposts')).status).toBe(401);
  expect((await service.clientWith({ authorization: `bearer  ${user.key}` }).get('/reposts')).status).toBe(200);
});

test('a wrong key is rejected despite a valid session', async () => {
  const { cookie } = await service.newSession();
  for (const authorization of [`Bearer ${makeKey()}`, 'Bearer secret', 'Basic dTpw', ''])
    expect((await service.clientWith({ cookie, authorization }).get('/reposts')).status).toBe(401);
});

test('a credential in the URL is none', async () => {
  const [{ key }, { cookie }] = [await service.newUser(), await service.newSession()];
  const token = /session_token=([^;]+)/.exec(cookie)?.[1] ?? '';
  for (const name of ['api_key', 'apiKey', 'key', 'token', 'access_token', 'authorization', 'session_token', 'cookie'])
    for (const value of [key, `Bearer ${key}`, token, cookie])
      expect([name, (await service.client.get('/reposts', { [name]: value })).status]).toEqual([name, 401]);
});

test("a suspended user's key is rejected with the reason", async () => {
  const user = await service.newUser();
  await service.db.execute('update auth."user" set suspended = true where id = $1', [user.userId]);
  expect(await user.get('/reposts')).toMatchObject({ status: 403, body: { code: 'account_suspended' } });
});

test('the database has only the hash of a key', async () => {
  const user = await service.newUser();
  const rows = await service.db.query('select to_jsonb(k) as row from api_key k where user_id = $1', [user.userId]);
  expect(JSON.stringify(rows)).not.toContain(user.key.slice(12));
});

test('a key revoked during a long request is detected', async () => {
  const user = await service.newUser();
  const session = await service.newSession();
  const [row] = await service.db.query<{ id: string }>('select id from auth.session where user_id = $1', [
    session.userId,
  ]);
  const byKey = { userId: user.userId, by: { kind: 'key', hash: hashKey(user.key) } } as const;
  const bySession = { userId: session.userId, by: { kind: 'session', id: row?.id ?? '' } } as const;
  const look = (caller: typeof byKey | typeof bySession) =>
    service.db.transaction((tx) => assertStillAuthorized(tx, caller));
  await look(byKey);
  await look(bySession);
  await user.post('/user/api-key/revoke');
  await createClient(service.url, null, { cookie: session.cookie, origin: service.url }).call(
    'POST',
    '//api/auth/sign-out',
    { json: {} },
  );
  await expect(look(byKey)).rejects.toMatchObject({ code: 'unauthorized' });
  await expect(look(bySession)).rejects.toMatchObject({ code: 'unauthorized' });
  // The suspension also ends the session; the error still gives the reason.
  await suspendUser(service.db, user.email);
  await suspendUser(service.db, session.email);
  await expect(look(byKey)).rejects.toMatchObject({ code: 'account_suspended' });
  await expect(look(bySession)).rejects.toMatchObject({ code: 'account_suspended' });
});
