import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitingSessions } from '../harness/locks.ts';
import { addAccount, addMedia, addPost } from '../harness/rows.ts';
import { startService, type TestService } from '../harness/service.ts';
import { eventually } from '../post/world.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** A user with a rule from a to b and c, and the rows counted before it. */
async function scene() {
  const user = await service.newUser();
  const { db } = service;
  const [a, b, c] = [
    await addAccount(db, user.userId),
    await addAccount(db, user.userId),
    await addAccount(db, user.userId),
  ];
  const media = await addMedia(db, user.userId);
  const { body } = await user.post('/repost/add', { from: a.id, to: [b.id, c.id] });
  const base = { userId: user.userId, mediaId: media.id, accounts: [b, c] };
  return { user, db, a, b, c, ruleId: body.id as string, base };
}

const counted = async (userId: string) => {
  const [row] = await service.db.query(
    `select (select sum(posts) from usage where user_id = $1)::integer as month,
       (select posts from user_counter where user_id = $1)::integer as history`,
    [userId],
  );
  return row;
};

const remaining = async (userId: string) =>
  (await service.db.query<{ id: string }>('select id from post where user_id = $1 order by id', [userId])).map(
    ({ id }) => id,
  );

test('deleting a rule removes its queued reposts and their usage', async () => {
  const { user, db, base, ruleId } = await scene();
  const queued = await addPost(db, { ...base, ruleId });
  const begun = await addPost(db, { ...base, ruleId, state: 'working' });
  const done = await addPost(db, { ...base, ruleId, state: 'posted' });
  const own = await addPost(db, { ...base });
  expect(await counted(user.userId)).toEqual({ month: 4, history: 4 });
  expect((await user.post('/repost/delete', { id: ruleId })).body).toEqual({ success: true });
  expect(await remaining(user.userId)).toEqual([begun.id, done.id, own.id].sort());
  expect(await counted(user.userId)).toEqual({ month: 3, history: 3 });
  expect(await db.query('select from target where id = any($1)', [queued.targets])).toEqual([]);
  expect((await user.get('/reposts')).body.data).toEqual([]);
  expect((await user.post('/repost/delete', { id: ruleId })).status).toBe(404);
});

test('a repost with a started target is kept whole', async () => {
  const { user, db, base, ruleId } = await scene();
  const post = await addPost(db, { ...base, ruleId });
  await db.execute(`update target set begun_at = app_now() where id = $1`, [post.targets[1]]);
  await user.post('/repost/delete', { id: ruleId });
  expect(await remaining(user.userId)).toEqual([post.id]);
  expect(await counted(user.userId)).toEqual({ month: 1, history: 1 });
});

test('a repost counted last month is returned to last month', async () => {
  const { user, db, base, ruleId } = await scene();
  await addPost(db, { ...base, ruleId });
  const month = async () =>
    (await db.query<{ posts: number }>('select posts from usage where user_id = $1 order by month', [user.userId])).map(
      ({ posts }) => posts,
    );
  await db.execute(`update post set created_at = created_at - interval '40 days' where user_id = $1`, [user.userId]);
  await db.execute(
    `insert into usage select $1, date_trunc('month', app_now() at time zone 'UTC' - interval '40 days')::date, 1`,
    [user.userId],
  );
  expect(await month()).toEqual([1, 1]);
  await user.post('/repost/delete', { id: ruleId });
  expect(await month()).toEqual([0, 1]);
});

test('reposts of other rules are unchanged', async () => {
  const { user, db, base, b, c, ruleId } = await scene();
  const { body } = await user.post('/repost/add', { from: b.id, to: [c.id] });
  const kept = await addPost(db, { ...base, accounts: [c], ruleId: body.id });
  await user.post('/repost/delete', { id: ruleId });
  expect(await remaining(user.userId)).toEqual([kept.id]);
});

test('a repost queued during the deletion is removed too', async () => {
  for (let round = 0; round < 5; round++) {
    const { user, db, base, b, ruleId } = await scene();
    const firing = db.another(1);
    const { client, release } = await firing.connect();
    // Like firing: lanes, then the rule for share, then the new post.
    await client.query('begin');
    await client.query('select from lane where identity_id = $1 for update', [b.identityId]);
    await client.query('select from rule where id = $1 for share', [ruleId]);
    const deleting = user.post('/repost/delete', { id: ruleId });
    await eventually('the deletion waits', async () => (await waitingSessions(db)) > 0);
    const tx = {
      query: async <T extends object>(text: string, values?: readonly unknown[]) =>
        (await client.query(text, values as unknown[])).rows as T[],
      execute: async (text: string, values?: readonly unknown[]) =>
        (await client.query(text, values as unknown[])).rowCount ?? 0,
    };
    await addPost(tx, { ...base, accounts: [b], ruleId });
    await client.query('commit');
    release();
    expect((await deleting).status).toBe(200);
    expect(await remaining(user.userId)).toEqual([]);
    await firing.close();
  }
});

test('one of twenty deletions succeeds and returns usage once', async () => {
  const { user, db, base, ruleId } = await scene();
  await addPost(db, { ...base });
  for (let count = 0; count < 3; count++) await addPost(db, { ...base, ruleId });
  const responses = await Promise.all(Array.from({ length: 20 }, () => user.post('/repost/delete', { id: ruleId })));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(responses.filter(({ status }) => status === 404)).toHaveLength(19);
  expect(await counted(user.userId)).toEqual({ month: 1, history: 1 });
});
