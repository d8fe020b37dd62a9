import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createUser,
  deleteUser,
  getUser,
  listAllUsers,
  resumeUser,
  setLate,
  setPassword,
  setPlan,
  suspendUser,
} from '../../src/users/service.ts';
import { addAccount, addMedia, addPost } from '../harness/rows.ts';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  // No background work runs, so files to be removed stay listed.
  service = await startService({ config: { role: 'api' } });
});
afterAll(() => service.close());

const signIn = (email: string, password: string) =>
  service.client.call('POST', '//api/auth/sign-in/email', {
    json: { email, password },
    headers: { origin: service.url },
  });

test('the first user becomes operator; a generated password works', async () => {
  const first = await createUser(service.db, { email: 'First@Example.org ', plan: 'PRO' });
  expect(first.operator).toBe(true);
  const second = await createUser(service.db, { email: 'second@example.org', plan: 'FREE' });
  expect(second.operator).toBe(false);
  expect((await signIn('first@example.org', first.generatedPassword ?? '')).status).toBe(200);
  expect((await listAllUsers(service.db)).map(({ email, plan }) => [email, plan])).toEqual([
    ['first@example.org', 'PRO'],
    ['second@example.org', 'FREE'],
  ]);
});

test('a given password is used and not returned', async () => {
  const made = await createUser(service.db, { email: 'own@example.org', plan: 'PRO', password: 'a password of mine' });
  expect(made.generatedPassword).toBeNull();
  expect((await signIn('own@example.org', 'a password of mine')).status).toBe(200);
});

test('an email address is unique and must be valid', async () => {
  const both = await Promise.allSettled(
    [0, 1].map(() => createUser(service.db, { email: 'twin@example.org', plan: 'PRO', password: 'long enough 1' })),
  );
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await expect(createUser(service.db, { email: 'twin@example.org', plan: 'PRO' })).rejects.toThrow(/already/);
  await expect(createUser(service.db, { email: 'nobody', plan: 'PRO' })).rejects.toThrow(/not an email/);
  await expect(createUser(service.db, { email: 's@example.org', plan: 'PRO', password: 'short' })).rejects.toThrow(
    /12 to 128/,
  );
  await expect(getUser(service.db, 'nobody@example.org')).rejects.toThrow('User nobody@example.org not found.');
});

test('a new password ends sessions and the old password', async () => {
  const user = await service.newSession();
  const set = await setPassword(service.db, user.email, { password: 'another password' });
  expect(set).toEqual({ generatedPassword: null, apiKey: 'none', passkeys: 0, revokedPasskeys: 0 });
  expect((await user.get('/reposts')).status).toBe(401);
  expect((await signIn(user.email, user.password)).status).toBe(401);
  expect((await signIn(user.email, 'another password')).status).toBe(200);
  const { generatedPassword } = await setPassword(service.db, user.email);
  expect((await signIn(user.email, generatedPassword ?? '')).status).toBe(200);
});

test('the operator sets a password for passwordless users', async () => {
  const user = await service.newUser();
  const { generatedPassword, apiKey } = await setPassword(service.db, user.email);
  expect(apiKey).toBe('active');
  expect((await signIn(user.email, generatedPassword ?? '')).status).toBe(200);
});

test('a new password revokes the API key on request', async () => {
  const user = await service.newUser();
  expect((await setPassword(service.db, user.email, { revokeKey: true })).apiKey).toBe('revoked');
  expect((await user.get('/reposts')).status).toBe(401);
});

test('the operator sets plans and suspends users', async () => {
  const user = await service.newUser();
  await setPlan(service.db, user.email, 'STARTER');
  await setLate(service.db, user.email, 'skip');
  expect(await getUser(service.db, user.email)).toMatchObject({ plan: 'STARTER', late: 'skip', suspended: false });
  await suspendUser(service.db, user.email);
  expect((await user.get('/reposts')).status).toBe(403);
  await resumeUser(service.db, user.email);
  expect((await user.get('/reposts')).status).toBe(200);
});

test('deleting a user leaves only files to be removed', async () => {
  const user = await service.newUser();
  const other = await service.newUser();
  const { db } = service;
  const avatar = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b.png';
  const accounts = [await addAccount(db, user.userId, { avatar }), await addAccount(db, user.userId)];
  const media = await addMedia(db, user.userId);
  await addPost(db, { userId: user.userId, mediaId: media.id, accounts });
  await addPost(db, { userId: user.userId, mediaId: media.id, accounts: accounts.slice(0, 1), state: 'posted' });
  await user.post('/repost/add', { from: accounts[0]?.id, to: [accounts[1]?.id] });
  await deleteUser(db, user.email);
  expect((await user.get('/reposts')).status).toBe(401);
  expect((await other.get('/reposts')).status).toBe(200);
  const tables = await db.query<{ name: string }>(
    `select c.table_schema || '.' || quote_ident(c.table_name) as name from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.column_name = 'user_id' and t.table_type = 'BASE TABLE' and c.table_schema in ('public', 'auth')`,
  );
  expect(tables.length).toBeGreaterThan(8);
  for (const { name } of tables.filter(({ name }) => name !== 'public.lane'))
    expect([name, await db.query(`select from ${name} where user_id = $1`, [user.userId])]).toEqual([name, []]);
  const files = await db.query<{ storage_key: string }>('select storage_key from file_removal');
  expect(files.map(({ storage_key }) => storage_key).sort()).toEqual(
    [`pictures/${avatar}`, `pictures/${media.thumbnail}`, `videos/${media.id}`].sort(),
  );
});
