import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removePost } from '../../src/posts/change.ts';
import type { AccountRow } from '../harness/rows.ts';
import { createFiringWorld, type FiringWorld } from './firing-world.ts';

let world: FiringWorld;
beforeAll(async () => {
  world = await createFiringWorld();
});
afterAll(async () => {
  expect(world.errors).toEqual([]);
  await world.db.drop();
});

/** Publishes the user's queued targets until none is left, in an order given by numbers. Rules fire in between. */
async function runToEnd(userId: string, order: readonly number[], fireAlso: () => Promise<void> = async () => {}) {
  for (let turn = 0; ; turn++) {
    await Promise.all([world.fire(), fireAlso()]);
    const open = await world.db.query<{ id: string }>(
      'select id from target where user_id = $1 and due_at is not null order by id',
      [userId],
    );
    const next = open[(order[turn] ?? 0) % Math.max(1, open.length)];
    if (!next) return;
    await world.posted(next.id);
  }
}

const reached = async (userId: string) =>
  (
    await world.db.query<{ account_id: string; count: number }>(
      'select account_id, count(*) from target where user_id = $1 group by account_id',
      [userId],
    )
  ).map(({ account_id, count }) => ({ account: account_id, count }));

test('content follows chains link by link', async () => {
  const userId = await world.newUser();
  const [a, b, c] = await world.accounts(userId, 3);
  await world.rule(userId, a, [b]);
  await world.rule(userId, b, [c]);
  const post = await world.post(userId, [a]);
  await world.posted(post.targets[0] ?? '');
  await world.fire();
  expect((await reached(userId)).map(({ account }) => account).sort()).toEqual([a.id, b.id].sort());
  await runToEnd(userId, []);
  const made = await world.db.query('select origin_id, media_id from post where user_id = $1', [userId]);
  expect(made).toEqual(Array(3).fill({ origin_id: post.id, media_id: post.mediaId }));
});

test('a deleted post of unknown outcome is not sent again', async () => {
  const userId = await world.newUser();
  const [a, b] = await world.accounts(userId, 2);
  await world.rule(userId, a, [b]);
  const post = await world.post(userId, [a, b]);
  await world.posted(post.targets[0] ?? '');
  await world.db.execute(
    `update target set state = 'failed', code = 'outcome_unknown', due_at = null, committed_at = app_now(),
       settled_at = app_now() where id = $1`,
    [post.targets[1]],
  );
  await removePost({ db: world.db }, userId, post.id);
  await world.fire();
  expect(await reached(userId)).toEqual([]);
});

test('two concurrent paths to one destination create one repost', async () => {
  const other = world.db.another(4);
  for (let round = 0; round < 10; round++) {
    const userId = await world.newUser();
    const [a, b, c, d] = await world.accounts(userId, 4);
    await world.rule(userId, b, [d]);
    await world.rule(userId, c, [d]);
    const post = await world.post(userId, [a, b, c]);
    for (const target of post.targets) await world.posted(target);
    await Promise.all([world.fire(), world.fire(other)]);
    expect((await reached(userId)).find(({ account }) => account === d.id)).toEqual({ account: d.id, count: 1 });
    const [used] = await world.db.query('select posts from usage where user_id = $1', [userId]);
    expect(used).toEqual({ posts: 2 });
  }
});

test('every reachable account gets the content exactly once', async () => {
  const other = world.db.another(4);
  const edge = fc.tuple(fc.nat(5), fc.nat(5)).filter(([from, to]) => from < to);
  const history = fc.record({
    edges: fc.uniqueArray(edge, { maxLength: 9, selector: ([from, to]) => `${from} ${to}` }),
    to: fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 3 }),
    order: fc.array(fc.nat(9), { minLength: 8, maxLength: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(history, async ({ edges, to, order }) => {
      const userId = await world.newUser();
      const all = await world.accounts(userId, 6);
      const at = (index: number) => all[index] as AccountRow;
      for (const [from, into] of edges) await world.rule(userId, at(from), [at(into)]);
      await world.post(userId, to.map(at));
      await runToEnd(userId, order, () => world.fire(other));
      const model = new Set(to);
      for (let grown = -1; grown !== model.size; ) {
        grown = model.size;
        for (const [from, into] of edges) if (model.has(from)) model.add(into);
      }
      const expected = [...model].map((index) => ({ account: at(index).id, count: 1 }));
      const byId = (one: { account: string }, two: { account: string }) => (one.account < two.account ? -1 : 1);
      expect((await reached(userId)).sort(byId)).toEqual(expected.sort(byId));
    }),
    { numRuns: 20 },
  );
});
