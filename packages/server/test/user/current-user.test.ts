import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('the signed-in user has the usage of its plan', async () => {
  const user = await service.newSession({ plan: 'FREE' });
  await service.db.execute(
    `insert into usage (user_id, month, posts) values ($1, date_trunc('month', app_now() at time zone 'UTC')::date, 7)`,
    [user.userId],
  );
  const { status, body } = await user.get('/user');
  expect(status).toBe(200);
  expect(body.data).toEqual({
    id: user.userId,
    email: user.email,
    name: user.email,
    plan: 'FREE',
    operator: expect.any(Boolean),
    operatorContact: null,
    zone: 'UTC',
    late: 'post',
    language: null,
    secondFactor: false,
    hasApiKey: false,
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    limits: [
      { name: 'posts_per_month', value: 30, used: 7, resetsAt: expect.stringMatching(/-01T00:00:00.000Z$/) },
      { name: 'connected_accounts', value: 3, used: 0, resetsAt: null },
      { name: 'rules', value: 1, used: 0, resetsAt: null },
      { name: 'scheduled_ahead', value: 10, used: 0, resetsAt: null },
    ],
    stored: { videos: 0, bytes: 0 },
  });
});

test('the user has an API key once one was created', async () => {
  const user = await service.newSession();
  await user.post('/user/api-key/generate');
  expect((await user.get('/user')).body.data.hasApiKey).toBe(true);
  await user.post('/user/api-key/revoke');
  expect((await user.get('/user')).body.data.hasApiKey).toBe(true);
  expect((await user.get('/user/api-key')).body.data.isActive).toBe(false);
});

test('the usage counts stored videos of the user only', async () => {
  const [user, stranger] = [await service.newSession(), await service.newSession()];
  for (const [owner, state, bytes] of [
    [user, 'stored', 1_000],
    [user, 'stored', 3_000_000_000],
    [user, 'gone', 5],
    [stranger, 'stored', 7],
  ] as const)
    await service.db.execute(
      `insert into media (id, user_id, storage_key, thumbnail, bytes, sha256, facts, state)
       values ($1::uuid, $2, 'videos/' || $1, $1 || '.jpg', $3, '\\x00', '{}', $4)`,
      [randomUUID(), owner.userId, bytes, state],
    );
  expect((await user.get('/user')).body.data.stored).toEqual({ videos: 2, bytes: 3_000_001_000 });
});

test('changes only the settings that are sent', async () => {
  const user = await service.newSession();
  const first = await user.call('PATCH', '/user', { json: { zone: 'Europe/Berlin', name: ' Ada ' } });
  expect(first.body.data).toMatchObject({ zone: 'Europe/Berlin', name: 'Ada', late: 'post' });
  const second = await user.call('PATCH', '/user', { json: { late: 'skip' } });
  expect(second.body.data).toMatchObject({ zone: 'Europe/Berlin', name: 'Ada', late: 'skip' });
  expect((await user.get('/user')).body.data).toEqual(second.body.data);
  expect(
    await service.db.query('select actor, action, subject from audit where action = $1 and user_id = $2', [
      'user.edit',
      user.userId,
    ]),
  ).toEqual(Array(2).fill({ actor: 'session', action: 'user.edit', subject: user.userId }));
});

test('invalid settings are rejected', async () => {
  const user = await service.newSession();
  for (const json of [
    { zone: 'Mars/Base' },
    { zone: '+02:00' },
    { late: 'never' },
    { name: ' ' },
    { name: 'x'.repeat(101) },
    { name: null },
  ])
    expect((await user.call('PATCH', '/user', { json })).body).toMatchObject({ code: 'invalid_request' });
  for (const json of [{ plan: 'PRO' }, { operator: true }, { email: 'other@example.org' }])
    expect((await user.call('PATCH', '/user', { json })).body).toMatchObject({ code: 'unknown_field' });
  expect((await user.get('/user')).body.data).toMatchObject({ zone: 'UTC', late: 'post', name: user.email });
});

test('a change needs the CSRF header', async () => {
  const user = await service.newSession();
  const response = await user.bare.call('PATCH', '/user', { json: { late: 'skip' } });
  expect(response).toMatchObject({ status: 403, body: { code: 'csrf_required' } });
});

test('users see how to reach the operator', async () => {
  const own = await startService({ config: { role: 'api', operatorContact: 'help@example.org' } });
  try {
    const someone = await own.newSession();
    expect((await someone.get('/user')).body.data.operatorContact).toBe('help@example.org');
  } finally {
    await own.close();
  }
});
