import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { createSealer } from '../../src/lib/encryption/seal.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { sweepOldVideos } from '../../src/maintenance/media.ts';
import { cancelPost } from '../../src/posts/cancel.ts';
import { removePost, retryPost } from '../../src/posts/change.ts';
import { type Edit, editPost } from '../../src/posts/edit.ts';
import { stopTrying } from '../../src/posts/tries.ts';
import { begin } from '../../src/publishing/decide.ts';
import { claimLanes, releaseLanes } from '../../src/publishing/lanes.ts';
import { writeTarget } from '../../src/publishing/target-store.ts';
import { loadTasks } from '../../src/publishing/task-store.ts';
import { waitingSessions } from '../harness/locks.ts';
import { type AccountRow, addMedia, addPost } from '../harness/rows.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { addReadyAccount, credentialOf, eventually, queuePost, startPostService } from './world.ts';

const sealer = createSealer([randomBytes(32)]);
let service: TestService;
let user: TestUser;
let account: AccountRow;
let postId: string;
beforeAll(async () => {
  service = await startPostService();
});
beforeEach(async () => {
  user = await service.newUser();
  account = await addReadyAccount(service.db, user.userId);
  const at = (await service.db.clock.now()).getTime() + 60_000;
  postId = await queuePost(service, user.userId, [account], { at });
});
afterAll(() => service.close());

const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    (result) => (result === false ? 'lost' : 'won'),
    (error: { code?: string }) => error.code ?? String(error),
  );

/** Queues functions on a lock: each starts once the previous ones are waiting. */
async function inTurn(lock: string, things: readonly (() => Promise<unknown>)[]): Promise<string[]> {
  const holder = service.db.another(1);
  const { client, release } = await holder.connect();
  await client.query('begin');
  await client.query(lock);
  const running: Promise<string>[] = [];
  for (const thing of things) {
    running.push(outcomeOf(thing()));
    await eventually('it waits', async () => (await waitingSessions(service.db)) === running.length);
  }
  await client.query('commit');
  release();
  return Promise.all(running);
}

const onLane = () => `select from lane where identity_id = '${account.identityId}' for update`;
const needs = (db: Database) => ({ ...service.context, db });
const changeIn = async (db: Database, edit: Edit) => {
  const credential = await credentialOf(service.db, user.userId);
  await editPost(needs(db), { credential, postId, edit, signal: new AbortController().signal });
};

describe('concurrent cancel, edit, stop and worker', () => {
  /** A worker that has claimed the lane and read the target. Its next write marks the target as started. */
  async function worker(db: Database): Promise<() => Promise<boolean>> {
    await service.db.clock.advance(60_000);
    const { lanes } = await claimLanes(db, uuidv7(), 10);
    const mine = lanes.filter((lane) => lane.identityId === account.identityId);
    await releaseLanes(
      db,
      lanes.filter((lane) => !mine.includes(lane)),
    );
    const [task] = await loadTasks(db, sealer, mine);
    if (!task) throw new Error('There is nothing to do.');
    const now = (await service.db.clock.now()).getTime();
    const target = { ...begin(task.target, { now, random: Math.random }), state: 'working' as const };
    return () => writeTarget(db, sealer, task, { target, entries: [] });
  }

  test.each([
    [
      ['work', 'cancel', 'edit'],
      ['won', 'not_cancellable', 'not_editable'],
    ],
    [
      ['work', 'edit', 'cancel'],
      ['won', 'not_editable', 'not_cancellable'],
    ],
    [
      ['cancel', 'work', 'edit'],
      ['won', 'lost', 'unknown_post'],
    ],
    [
      ['cancel', 'edit', 'work'],
      ['won', 'unknown_post', 'lost'],
    ],
    // An edit leaves a post that can still be canceled. The worker's read is stale in any case.
    [
      ['edit', 'work', 'cancel'],
      ['won', 'lost', 'won'],
    ],
    [
      ['edit', 'cancel', 'work'],
      ['won', 'won', 'lost'],
    ],
  ])('%j end as %j', async (order, expected) => {
    const db = service.db.another(6);
    const write = await worker(db);
    const things: Record<string, () => Promise<unknown>> = {
      work: write,
      cancel: () => cancelPost(needs(db), user.userId, postId),
      edit: () => changeIn(db, { description: 'edited' }),
    };
    const outcomes = await inTurn(
      onLane(),
      order.map((name) => things[name] ?? (() => Promise.reject(new Error(name)))),
    );
    expect(outcomes).toEqual(expected);
  });

  test.each([
    [['work', 'swap'], ['won', 'not_editable'], 'mine'],
    [['swap', 'work'], ['won', 'lost'], 'other'],
    [['swap', 'swapBack'], ['won', 'won'], 'mine'],
    [['swap', 'cancel'], ['won', 'won'], null],
  ] as const)('%j end as %j', async (order, expected, left) => {
    const db = service.db.another(6);
    const other = await addReadyAccount(service.db, user.userId);
    const write = await worker(db);
    const things = {
      work: write,
      swap: () => changeIn(db, { platforms: [other.id] }),
      swapBack: () => changeIn(db, { platforms: [account.id] }),
      cancel: () => cancelPost(needs(db), user.userId, postId),
    };
    const outcomes = await inTurn(
      onLane(),
      order.map((name) => things[name]),
    );
    expect(outcomes).toEqual(expected);
    const targets = await service.db.query('select account_id as id from target where post_id = $1', [postId]);
    const accounts = { mine: account.id, other: other.id };
    expect(targets).toEqual(left === null ? [] : [{ id: accounts[left] }]);
  });

  test.each([
    ['scheduled', ['work', 'stop'], ['won', 'won']],
    ['scheduled', ['stop', 'work'], ['won', 'lost']],
    // The outcome of a send is written in any case.
    ['committing', ['work', 'stop'], ['won', 'won']],
    ['committing', ['stop', 'work'], ['won', 'won']],
  ])('while it is %s, %j end as %j', async (state, order, expected) => {
    await service.db.execute(
      `update target set state = $2, begun_at = case when $2 = 'committing' then app_now() end where post_id = $1`,
      [postId, state],
    );
    const db = service.db.another(6);
    const things = {
      work: await worker(db),
      stop: () => stopTrying({ ...needs(db), wake() {} }, user.userId, postId, {}),
    };
    expect(
      await inTurn(
        onLane(),
        order.map((name) => things[name as keyof typeof things]),
      ),
    ).toEqual(expected);
    expect(await service.db.query('select stop_requested from target where post_id = $1', [postId])).toEqual([
      { stop_requested: true },
    ]);
  });

  test('a worker and a change never both succeed', async () => {
    for (let round = 0; round < 15; round++) {
      await service.db.execute('delete from post where user_id = $1', [user.userId]);
      const media = await addMedia(service.db, user.userId);
      const post = { userId: user.userId, mediaId: media.id, accounts: [account], dueInMs: 60_000 };
      postId = (await addPost(service.db, post)).id;
      await service.db.execute('update lane set lease_until = null, next_due_at = app_now() where identity_id = $1', [
        account.identityId,
      ]);
      const pools = [service.db.another(2), service.db.another(2), service.db.another(2)] as const;
      const write = await worker(pools[0]);
      const [work, cancel, edit] = await Promise.all([
        outcomeOf(write()),
        outcomeOf(cancelPost(needs(pools[1]), user.userId, postId)),
        outcomeOf(changeIn(pools[2], { description: 'edited' })),
      ]);
      expect(work === 'won').toBe(cancel !== 'won' && edit !== 'won');
      await Promise.all(pools.map((pool) => pool.close()));
    }
  });
});

test('a cancel sent twice succeeds twice and returns usage once', async () => {
  const db = service.db.another(6);
  const cancel = () => cancelPost(needs(db), user.userId, postId);
  expect(await inTurn(onLane(), [cancel, cancel])).toEqual(['won', 'won']);
  const [used] = await service.db.query('select posts from usage where user_id = $1', [user.userId]);
  expect(used).toEqual({ posts: 0 });
  expect((await user.get('/post/history')).body.total).toBe(0);
});

test('either retry or deletion wins if concurrent', async () => {
  await service.db.execute(
    `update target set state = 'failed', due_at = null, code = 'platform_error' where post_id = $1`,
    [postId],
  );
  const db = service.db.another(6);
  const remove = () => removePost(needs(db), user.userId, postId);
  const retry = () => retryPost(needs(db), user.userId, postId, {});
  expect(await inTurn(onLane(), [retry, remove, retry])).toEqual(['won', 'not_deletable', 'not_retryable']);
  await service.db.execute(
    `update target set state = 'failed', due_at = null, code = 'platform_error' where post_id = $1`,
    [postId],
  );
  expect(await inTurn(onLane(), [remove, retry, remove])).toEqual(['won', 'unknown_post', 'unknown_post']);
});

test('a retry before the sweep keeps the video', async () => {
  const db = service.db.another(6);
  const finish = () =>
    service.db.execute(
      `update target set state = 'failed', due_at = null, code = 'platform_error', settled_at = app_now() where post_id = $1`,
      [postId],
    );
  await finish();
  await service.db.clock.advance(31 * 86_400_000);
  const retry = () => retryPost(needs(db), user.userId, postId, {});
  const sweep = () => sweepOldVideos({ ...needs(db), retentionDays: 30, onError: () => {} });
  expect(await inTurn(onLane(), [retry])).toEqual(['won']);
  await sweep();
  expect(await service.db.query(`select from media where state = 'gone'`)).toEqual([]);
  await finish();
  await service.db.clock.advance(31 * 86_400_000);
  await sweep();
  expect(await outcomeOf(retry())).toBe('video_gone');
});
