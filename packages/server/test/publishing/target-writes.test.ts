import { randomBytes } from 'node:crypto';
import { simulator } from '@reelay/sandbox/platforms/mastodon/index.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { connector } from '../../src/connectors/mastodon/index.ts';
import type { Database, Queryable } from '../../src/db/database.ts';
import { createSealer } from '../../src/lib/encryption/seal.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { claimLanes, type Lane, releaseLanes } from '../../src/publishing/lanes.ts';
import type { Target, Transition } from '../../src/publishing/target.ts';
import { MAX_WRITES, type TargetWrite, writeTarget, writeTargets } from '../../src/publishing/target-store.ts';
import { createTargetWrites } from '../../src/publishing/target-writes.ts';
import type { Task } from '../../src/publishing/task.ts';
import { loadTasks } from '../../src/publishing/task-store.ts';
import { post } from '../../src/publishing/transitions.ts';
import { messageOf } from '../harness/message.ts';
import { createWorld, type World } from '../harness/world.ts';

const LANES = 5;
const sealer = createSealer([randomBytes(32)]);
let world: World;
let accounts: World['account'][];
let lanes: Lane[];
let tasks: Task[];
beforeAll(async () => {
  world = await createWorld({ connector, module: simulator });
  const [owner] = await world.db.query<{ id: string }>('select user_id as id from account');
  accounts = [world.account];
  while (accounts.length < LANES) accounts.push(await world.connect(owner?.id ?? '', `lane${accounts.length}`));
});
afterAll(() => world.close());
beforeEach(async () => {
  for (const on of accounts) await world.post({ on });
  ({ lanes } = await claimLanes(world.db, uuidv7(), LANES));
  tasks = await loadTasks(world.db, sealer, lanes);
  expect(tasks).toHaveLength(LANES);
});
afterEach(async () => {
  await world.db.execute(`update target set state = 'failed', due_at = null where due_at is not null`);
  await releaseLanes(world.db, lanes);
});

/** A decision that sets every column that can be set without another row. */
function decision(task: Task, changes: Partial<Target> = {}): Transition {
  const { readAt } = task;
  const target: Target = {
    ...task.target,
    ...{ state: 'unknown', dueAt: readAt - 60_000, countsFrom: readAt, deadlineAt: readAt + 1, begunAt: readAt + 2 },
    ...{ checkpoint: { upload: 'ü"\\1' }, attempts: 1, crashes: 2, sends: 3, sendKey: 4, committedAt: readAt + 3 },
    ...{ commitUntil: readAt + 4, isPublic: true, unproven: true, verifications: 5, unknownSince: readAt + 5 },
    ...{ notPostedSince: readAt + 6, confirmingSince: readAt + 7, completeSince: readAt + 8, acceptDuplicate: true },
    ...{ code: 'platform_error', detail: 'Ein "Wort" \\n\n{}', platformCode: 'E1', remoteId: `r ${task.target.id}` },
    ...{ url: 'https://social.example/1', publishedAt: readAt + 9 },
    ...changes,
  };
  return { target, entries: [{ event: 'unknown', message: messageOf('First "line".') }, line('Second.')] };
}

const line = (text: string) => ({ event: 'unknown', message: messageOf(text), platformCode: 'E2' });

const given = (task: Task, changes: Partial<Target> = {}, leaseMs: number | null = null): TargetWrite => ({
  ...{ task, transition: decision(task, changes), leaseMs },
});

/** What a write leaves, without what differs between targets. */
async function storedOf({ target: { id }, lane }: Task) {
  const [row] = await world.db.query(
    `select to_jsonb(t) - '{id,post_id,user_id,account_id,identity_id,origin_id,post_date,created_at,checkpoint,remote_id}'::text[] as target,
       t.remote_id = 'r ' || t.id as "hasId",
       (select jsonb_agg(jsonb_build_array(l.event, l.code, l.params, l.platform_code) order by l.id)
        from timeline l where l.target_id = t.id and l.event = 'unknown') as lines
     from target t where t.id = $1`,
    [id],
  );
  const [read] = await loadTasks(world.db, sealer, [lane]);
  return { ...row, checkpoint: read?.target.checkpoint };
}

/** Counts statements, and holds them until `release`. */
function heldDatabase() {
  const statements: string[] = [];
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const query: Database['query'] = async (text, values) => {
    statements.push(text);
    await gate;
    return world.db.query(text, values);
  };
  return { db: { ...world.db, query }, statements, release };
}

const leaseOf = async ({ target }: Task) => {
  const [row] = await world.db.query<{ ms: number }>(
    `select (extract(epoch from lease_until - app_now()) * 1000)::float8 as ms from lane where identity_id = $1`,
    [target.identityId],
  );
  return row?.ms ?? 0;
};

const allWritten = (some: readonly Task[]) => new Map(some.map(({ target }) => [target.id, 'written']));

test('one statement writes what several statements write', async () => {
  const [alone, ...others] = tasks as [Task, ...Task[]];
  // The same times for all.
  const same = others.map((task) => given({ ...task, readAt: alone.readAt }));
  expect(await writeTarget(world.db, sealer, alone, decision(alone), null)).toBe(true);
  expect(await writeTargets(world.db, sealer, same)).toEqual(allWritten(others));
  const expected = await storedOf(alone);
  expect(expected).toMatchObject({ hasId: true, checkpoint: { upload: 'ü"\\1' } });
  for (const task of others) expect(await storedOf(task)).toEqual(expected);
});

test('a lost lane stops its own write only', async () => {
  const [lost, changed, ...good] = tasks as [Task, Task, ...Task[]];
  await world.db.execute('update lane set fence = fence + 1 where identity_id = $1', [lost.target.identityId]);
  await world.db.execute('update target set version = version + 1 where id = $1', [changed.target.id]);
  const before = [await storedOf(lost), await storedOf(changed)];
  const written = await writeTargets(
    world.db,
    sealer,
    tasks.map((task) => given(task)),
  );
  expect(written).toEqual(new Map([[lost.target.id, 'stale'], [changed.target.id, 'stale'], ...allWritten(good)]));
  expect([await storedOf(lost), await storedOf(changed)]).toEqual(before);
  await world.db.execute('update lane set fence = fence - 1 where identity_id = $1', [lost.target.identityId]);
});

test('posted targets get placements unless a rule follows', async () => {
  const [fresh, taken, followed, other, again] = tasks as [Task, Task, Task, Task, Task];
  const asPosted = (task: Task, remoteId: string): TargetWrite => {
    const published = { remoteId, url: null, publishedAt: null };
    const transition = post(task.target, published, messageOf('Posted.'), {
      now: task.readAt,
      random: Math.random,
    });
    return { task, transition, leaseMs: null };
  };
  await world.db.execute(
    `insert into placement (origin_id, identity_id, remote_id, normal_text, published_at)
     values (uuid_v7(), $1, 'known', '', app_now())`,
    [taken.target.identityId],
  );
  await world.db.execute(
    `insert into rule (id, user_id, from_account, options) select uuid_v7(), user_id, id, '{}' from account where identity_id = $1`,
    [followed.target.identityId],
  );
  const results = await writeTargets(world.db, sealer, [
    asPosted(fresh, 'new'),
    asPosted(taken, 'known'),
    asPosted(followed, 'new'),
    given(other),
    asPosted(again, 'new'),
  ]);
  expect([fresh, taken, followed, other, again].map(({ target }) => results.get(target.id))).toEqual([
    'written',
    'taken',
    'followed',
    'written',
    'written',
  ]);
  const placed = await world.db.query(
    'select target_id, remote_id from placement where target_id is not null order by 1',
  );
  expect(placed).toEqual(
    [fresh, again]
      .map(({ target }) => ({ target_id: target.id, remote_id: 'new' }))
      .sort((a, b) => (a.target_id < b.target_id ? -1 : 1)),
  );
  await world.db.execute('delete from rule');
});

test('a batch finds its targets by index', async () => {
  const scansOf = async (db: Queryable) => {
    const [row] = await db.query<{ scans: number }>(
      `select seq_scan as scans from pg_stat_xact_user_tables where relid = 'target'::regclass`,
    );
    return row?.scans;
  };
  const [task] = tasks as [Task];
  const scans: (number | undefined)[] = [];
  const undone = new Error('Undone.');
  const work = world.db.transaction(async (tx) => {
    // Of a fast disk. Then 16 of 2,000 rows are read by index, and 100 are not.
    await tx.execute('set local random_page_cost = 1.1');
    const ids = Array.from({ length: 2_000 }, uuidv7);
    const copy = (table: string, changes: string) => `insert into ${table}
      select (jsonb_populate_record(t, jsonb_build_object('id', copy.id, ${changes}))).*
      from unnest($1::uuid[]) as copy (id), ${table} t where t.id = $2`;
    await tx.execute(copy('post', `'description', ''`), [ids, task.post.id]);
    await tx.execute(copy('target', `'post_id', copy.id, 'state', 'failed', 'due_at', null`), [ids, task.target.id]);
    await tx.execute('analyze target');
    scans.push(await scansOf(tx));
    // PostgreSQL plans the first five executions of a statement for their values, and may keep a plan for the next ones.
    for (let count = 0; count < 8; count++)
      await writeTargets(
        tx,
        sealer,
        tasks.map((each) => given(each)),
      );
    scans.push(await scansOf(tx));
    throw undone;
  });
  await expect(work).rejects.toBe(undone);
  expect(scans[0]).toEqual(expect.any(Number));
  expect(scans[1]).toBe(scans[0]);
});

test('more decisions than a statement takes are refused', async () => {
  const many = Array.from({ length: MAX_WRITES + 1 }, () => given(tasks[0] as Task));
  await expect(writeTargets(world.db, sealer, many)).rejects.toThrow('at most 16');
});

test('leases are extended for the decisions that ask for it', async () => {
  const [first, second, third] = tasks as [Task, Task, Task];
  await writeTargets(world.db, sealer, [given(first, {}, 90_000), given(second), given(third, {}, 1)]);
  expect(await leaseOf(first)).toBeGreaterThan(80_000);
  expect(await leaseOf(second)).toBeLessThan(10_001);
  // Never shortened.
  expect(await leaseOf(third)).toBeGreaterThan(1_000);
});

test('decisions that wait for two statements share the next one', async () => {
  const { db, statements, release } = heldDatabase();
  const writes = createTargetWrites(db, sealer, () => false);
  const results = tasks.map((task) => writes.write(given(task)));
  expect(statements).toHaveLength(2);
  release();
  expect(await Promise.all(results)).toEqual(tasks.map(() => 'written'));
  expect(statements).toHaveLength(3);
});

test('decisions of one lane are written one after the other', async () => {
  const { db, statements, release } = heldDatabase();
  const writes = createTargetWrites(db, sealer, () => false);
  const [first, second, third] = tasks as [Task, Task, Task];
  // The last one is older than the row by then.
  const results = [first, second, third, third].map((task) => writes.write(given(task)));
  release();
  expect(await Promise.all(results)).toEqual(['written', 'written', 'written', 'stale']);
  expect(statements).toHaveLength(4);
});

test('a row that the database refuses fails alone', async () => {
  const { db, release } = heldDatabase();
  const writes = createTargetWrites(db, sealer, () => false);
  const results = tasks.map((task, index) => writes.write(given(task, index === 3 ? { renditionId: uuidv7() } : {})));
  release();
  const outcomes = await Promise.allSettled(results);
  expect(outcomes.map(({ status }) => status)).toEqual(
    tasks.map((_, index) => (index === 3 ? 'rejected' : 'fulfilled')),
  );
  expect(outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))).toEqual([
    'written',
    'written',
    'written',
    'written',
  ]);
});

test('a lost database is reported to every decision', async () => {
  const down = world.db.another(1);
  await down.close();
  const writes = createTargetWrites(down, sealer, () => false);
  const outcomes = await Promise.allSettled(tasks.map((task) => writes.write(given(task))));
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'database_unavailable' } });
});

test('a lane that is locked delays no other', async () => {
  const [locked, ...others] = tasks as [Task, ...Task[]];
  const { client, release } = await world.db.another(1).connect();
  await client.query('begin');
  await client.query('select from lane where identity_id = $1 for update', [locked.target.identityId]);
  const held = heldDatabase();
  const writes = createTargetWrites(held.db, sealer, () => false);
  // Two statements are under way, so the locked lane shares one with others.
  const results = [...others.slice(0, 2), locked, ...others.slice(2)].map((task) => writes.write(given(task)));
  held.release();
  expect(await Promise.all([...results.slice(0, 2), ...results.slice(3)])).toEqual(others.map(() => 'written'));
  await client.query('commit');
  release();
  expect(await results[2]).toBe('written');
});

test('statements that wait do not delay others', async () => {
  const blocked = tasks.slice(0, 2);
  const { client, release } = await world.db.another(1).connect();
  await client.query('begin');
  for (const { target } of blocked)
    await client.query('select from lane where identity_id = $1 for update', [target.identityId]);
  const writes = createTargetWrites(world.db, sealer, () => false);
  const results = tasks.map((task) => writes.write(given(task)));
  expect(await Promise.all(results.slice(2))).toEqual(['written', 'written', 'written']);
  await client.query('commit');
  release();
  expect(await Promise.all(results)).toEqual(tasks.map(() => 'written'));
});

test('nothing that waits is written after an abort', async () => {
  let isAborted = false;
  const { db, statements, release } = heldDatabase();
  const writes = createTargetWrites(db, sealer, () => isAborted);
  const results = tasks.map((task) => writes.write(given(task)));
  isAborted = true;
  release();
  expect(await Promise.all(results)).toEqual(['written', 'written', 'stale', 'stale', 'stale']);
  expect(statements).toHaveLength(2);
});
