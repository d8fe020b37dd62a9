import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccountRow, addAccount } from '../harness/rows.ts';
import { startService, type TestService, type TestUser } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** A user with this many connected accounts. */
async function withAccounts(count: number, plan: 'FREE' | 'PRO' = 'PRO'): Promise<[TestUser, ...AccountRow[]]> {
  const user = await service.newUser({ plan });
  const accounts: AccountRow[] = [];
  for (let made = 0; made < count; made++) accounts.push(await addAccount(service.db, user.userId));
  return [user, ...accounts];
}

const ids = (accounts: readonly (AccountRow | undefined)[]) => accounts.map((account) => account?.id ?? '');

test('rules are listed with all accounts, newest first', async () => {
  const user = await service.newUser();
  const source = await addAccount(service.db, user.userId, { username: 'source', platform: 'tiktok' });
  const one = await addAccount(service.db, user.userId, { username: 'one', avatar: 'picture.jpg' });
  const two = await addAccount(service.db, user.userId, { username: 'two', platform: 'bluesky' });
  const first = await user.post('/repost/add', { from: source.id, to: [two.id, one.id, two.id] });
  expect(first).toMatchObject({ status: 200, body: { success: true, id: expect.any(String) } });
  const second = await user.post('/repost/add', { from: one.id, to: [two.id] });
  const { body } = await user.get('/reposts');
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([second.body.id, first.body.id]);
  expect(body.data[1]).toEqual({
    id: first.body.id,
    from: {
      id: source.id,
      platform: 'tiktok',
      username: 'source',
      displayName: 'Name of source',
      usernameImage: '',
      status: 'CONNECTED',
    },
    to: [
      {
        id: two.id,
        platform: 'bluesky',
        username: 'two',
        displayName: 'Name of two',
        usernameImage: '',
        status: 'CONNECTED',
      },
      {
        id: one.id,
        platform: 'tiktok',
        username: 'one',
        displayName: 'Name of one',
        usernameImage: `${service.context.config.publicUrl}/api/v1/media/picture.jpg`,
        status: 'CONNECTED',
      },
    ],
    date: expect.stringMatching(/Z$/),
    isPaused: false,
    options: {
      delayMinutes: 0,
      jitterMinutes: 0,
      quietHours: null,
      maxPerDay: null,
      zone: 'UTC',
      privacy: {},
      caption: { template: '{caption}', removeMentions: false, removeHashtags: false, append: '' },
      filters: { contains: [], excludes: [], hashtags: [], minSeconds: null, maxSeconds: null },
      fit: null,
      backCatalog: null,
    },
    dailyLimits: { own: null, foreign: 25 },
    watch: {
      mode: 'own',
      text: 'TikTok does not show posts made in its own app. This rule reposts only what you post with Reelay.',
      checkedAt: null,
      nextCheckAt: null,
      problem: null,
    },
  });
});

test('a cycle is rejected with the documented message', async () => {
  const [user, ...accounts] = await withAccounts(5);
  const chain = ids(accounts);
  for (let at = 0; at < 4; at++)
    expect((await user.post('/repost/add', { from: chain[at], to: [chain[at + 1]] })).status).toBe(200);
  const circular = { success: false, code: 'circular_dependency', message: 'Circular dependency' };
  expect(await user.post('/repost/add', { from: chain[1], to: [chain[0]] })).toMatchObject({
    status: 400,
    body: circular,
  });
  expect((await user.post('/repost/add', { from: chain[4], to: [chain[0]] })).body).toEqual(circular);
  expect((await user.post('/repost/add', { from: chain[0], to: [chain[0]] })).body).toEqual(circular);
  // Paused rules count as well.
  const { body } = await user.get('/reposts');
  await user.post('/repost/pause', { id: body.data[3].id, isPaused: true });
  expect((await user.post('/repost/add', { from: chain[1], to: [chain[0]] })).body).toEqual(circular);
  // A diamond is not a cycle.
  expect((await user.post('/repost/add', { from: chain[0], to: [chain[3]] })).status).toBe(200);
});

test('checks run in the documented order', async () => {
  const [user, a, b, c] = await withAccounts(3, 'FREE');
  const expired = await addAccount(service.db, user.userId, { status: 'EXPIRED' });
  const [A, B, C] = ids([a, b, c]);
  const [, foreign] = await withAccounts(1);
  const add = async (from: unknown, to: unknown) => {
    const { status, body } = await user.post('/repost/add', { from, to });
    return [status, body.code];
  };
  expect((await user.post('/repost/add', { from: A, to: [B] })).status).toBe(200);
  // Order: body, accounts, connection, cycle, duplicates, plan.
  expect(await add('nothing', [])).toEqual([400, 'invalid_request']);
  expect(await add('nothing', Array(51).fill(A))).toEqual([400, 'invalid_request']);
  expect(await add('nothing', [expired.id])).toEqual([404, 'unknown_platform']);
  expect(await add(A, [foreign?.id])).toEqual([404, 'unknown_platform']);
  expect(await add(A?.toUpperCase(), [B])).toEqual([404, 'unknown_platform']);
  expect(await add(B, [A, expired.id])).toEqual([409, 'platform_not_connected']);
  expect(await add(expired.id, [expired.id])).toEqual([409, 'platform_not_connected']);
  expect(await add(B, [C, A])).toEqual([400, 'circular_dependency']);
  expect(await add(A, [C, B])).toEqual([409, 'duplicate_rule']);
  expect(await add(A, [C])).toEqual([403, 'plan_limit_reached']);
  const { body } = await user.post('/repost/add', { from: A, to: [C] });
  expect(body.limit).toEqual({ name: 'rules', value: 1, used: 1, resetsAt: null });
});

test('the rejected account is named', async () => {
  const [user, a] = await withAccounts(1);
  const revoked = await addAccount(service.db, user.userId, { status: 'REVOKED' });
  const unknown = await user.post('/repost/add', { from: a?.id, to: ['no such account'] });
  expect(unknown.body.message).toContain('no such account');
  const unusable = await user.post('/repost/add', { from: a?.id, to: [revoked.id] });
  expect(unusable.body.message).toContain(revoked.id);
});

test('fifty destinations are accepted and duplicates count once', async () => {
  const [user, source, ...rest] = await withAccounts(51);
  const to = ids(rest);
  expect((await user.post('/repost/add', { from: source?.id, to })).status).toBe(200);
  expect((await user.get('/reposts')).body.data[0].to).toHaveLength(50);
  const twice = { from: to[0], to: [to[1], to[1]] };
  expect((await user.post('/repost/add', twice)).status).toBe(200);
  expect((await user.get('/reposts')).body.data[0].to).toHaveLength(1);
});

test('exactly one of two concurrent opposite rules succeeds', async () => {
  const other = await startService({ config: { databaseUrl: service.db.url } });
  try {
    for (let round = 0; round < 15; round++) {
      const [user, a, b] = await withAccounts(2);
      const elsewhere = other.clientWith({ authorization: `Bearer ${user.key}` });
      const both = await Promise.all([
        user.post('/repost/add', { from: a?.id, to: [b?.id] }),
        elsewhere.post('/repost/add', { from: b?.id, to: [a?.id] }),
      ]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  } finally {
    await other.close();
  }
});

test('concurrent adds never close a ring or exceed the plan', async () => {
  const [user, ...ring] = await withAccounts(5);
  const all = ids(ring);
  const responses = await Promise.all(
    all.map((from, at) => user.post('/repost/add', { from, to: [all[(at + 1) % all.length]] })),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 400]);
  const [free, a, b, c] = await withAccounts(3, 'FREE');
  const [A, B, C] = ids([a, b, c]);
  const last = await Promise.all(
    [B, C]
      .map((to) => free.post('/repost/add', { from: A, to: [to] }))
      .concat(free.post('/repost/add', { from: B, to: [C] })),
  );
  expect(last.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
});

test('a simulated account cannot be used without the sandbox', async () => {
  const off = await startService({ config: { sandbox: false } });
  try {
    const user = await off.newUser();
    const real = await addAccount(off.db, user.userId, { sandbox: false });
    const simulated = await addAccount(off.db, user.userId, { sandbox: true });
    const { status, body } = await user.post('/repost/add', { from: real.id, to: [simulated.id] });
    expect([status, body.code]).toEqual([409, 'platform_not_connected']);
  } finally {
    await off.close();
  }
});

test('rules of other users are unknown', async () => {
  const [user, a, b] = await withAccounts(2);
  const { body } = await user.post('/repost/add', { from: a?.id, to: [b?.id] });
  const stranger = await service.newUser();
  for (const id of [body.id, 'x', body.id.toUpperCase()]) {
    const client = id === body.id ? stranger : user;
    const unknown = { status: 404, body: { code: 'unknown_rule' } };
    expect(await client.post('/repost/delete', { id })).toMatchObject(unknown);
    expect(await client.post('/repost/pause', { id, pause: true })).toMatchObject(unknown);
  }
  expect((await stranger.get('/reposts')).body.data).toEqual([]);
  expect((await user.get('/reposts')).body.data).toHaveLength(1);
});
