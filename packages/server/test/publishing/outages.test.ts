/** What ends the pauses of targets whose server works again. */
import { simulator } from '@reelay/sandbox/platforms/mastodon/index.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connector } from '../../src/connectors/mastodon/index.ts';
import { HOUR, MINUTE, SECOND } from '../../src/lib/time.ts';
import { createOutages, type Outages } from '../../src/publishing/outages/outages.ts';
import { retryPause } from '../../src/publishing/retry-pauses.ts';
import type { Target, Transition, Trouble } from '../../src/publishing/target.ts';
import type { Task } from '../../src/publishing/task.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { addAccount, addMedia, addPost } from '../harness/rows.ts';
import { scheduledTarget } from '../harness/target.ts';
import type { TestWorker } from '../harness/test-worker.ts';
import { createWorld, type World } from '../harness/world.ts';

test('pauses without a response stay short for an hour', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, random) => {
      const pause = retryPause(attempts, () => random, 'connection');
      expect(pause).toBeGreaterThanOrEqual(1.5 * SECOND);
      expect(pause).toBeLessThanOrEqual((attempts <= 16 ? 5 : 30) * MINUTE * 1.25);
      expect(pause).toBeLessThanOrEqual(retryPause(attempts, () => random, 'server'));
    }),
  );
  const all = Array.from({ length: 16 }, (_, at) => retryPause(at + 1, () => 0.5, 'connection'));
  const sum = all.reduce((a, b) => a + b, 0);
  expect(sum).toBeGreaterThan(HOUR * 0.9);
});

describe('an outage', () => {
  let db: TestDatabase;
  let userId: string;
  let mediaId: string;
  beforeAll(async () => {
    db = await createTestDatabase();
    userId = '01900000-0000-7000-8000-000000000001';
    await db.execute(`insert into auth."user" (id, name, email) values ($1, 'Nora', 'nora@example.org')`, [userId]);
    mediaId = (await addMedia(db, userId)).id;
  });
  afterAll(() => db.drop());
  beforeEach(async () => {
    await db.execute('delete from outage_probe');
    await db.execute(`update target set due_at = null, state = 'failed', trouble = null`);
    await db.execute('update lane set next_due_at = null');
  });

  const outagesOf = () =>
    createOutages({ db, random: Math.random, nameOf: (platform) => platform.toUpperCase(), wake: () => {} });
  const server = { platform: 'mastodon', service: 'https://one.example', sandbox: true };
  const moved = (state: Target['state'], trouble: Trouble | null = null, account = server) => {
    const target = { ...scheduledTarget(0), state, trouble };
    return [{ account } as unknown as Task, { target, entries: [] } satisfies Transition] as const;
  };

  interface Waiting {
    cause?: 'connection' | 'server';
    state?: Target['state'];
    dueInMs?: number;
    attempts?: number;
    on?: Partial<typeof server>;
  }

  /** Adds a target that waits, on an account of its own. @returns its id */
  async function waiting({ state = 'waiting', dueInMs = 20 * MINUTE, attempts = 5, ...more }: Waiting) {
    const { platform, service, sandbox } = { ...server, ...more.on };
    const account = await addAccount(db, userId, { platform, sandbox });
    await db.execute('update account set service = $2 where id = $1', [account.id, service]);
    const { targets } = await addPost(db, { userId, mediaId, accounts: [account], dueInMs });
    const [id = ''] = targets;
    const trouble = {
      ...{ code: 'platform_unavailable', platformCode: null, since: 0, attempts },
      ...{ reason: { code: 'internal_error', params: {} }, cause: more.cause },
    };
    await db.execute('update target set state = $2, trouble = $3::jsonb where id = $1', [
      id,
      state,
      JSON.stringify(trouble),
    ]);
    await db.execute('update lane set next_due_at = $2 where identity_id = $1', [account.identityId, await due(id)]);
    return id;
  }
  const due = async (id: string) => {
    const [row] = await db.query<{ at: Date }>('select due_at as at from target where id = $1', [id]);
    return row?.at;
  };
  /** Which of these targets a worker would take now. */
  const dueNow = async (ids: readonly string[]) => {
    const rows = await db.query<{ id: string }>(
      `select t.id from target t join lane l on l.identity_id = t.identity_id
       where t.id = any($1::uuid[]) and t.due_at <= app_now() and l.next_due_at <= app_now()`,
      [ids],
    );
    return ids.filter((id) => rows.some((row) => row.id === id));
  };
  const settle = (id: string, state: Target['state'], trouble: string | null = null, dueInMs: number | null = null) =>
    db.execute(
      `update target set state = $2, trouble = case when $3 = 'kept' then trouble else $3::jsonb end,
         due_at = app_now() + $4 * interval '1 millisecond' where id = $1`,
      [id, state, trouble, dueInMs],
    );
  const publishOn = async (outages: Outages, account = server) => {
    outages.moved(...moved('posted', null, account));
    return outages.check();
  };

  test('ends with one probe, then with all others', async () => {
    const outages = outagesOf();
    const ids = [
      await waiting({ cause: 'server', attempts: 7 }),
      await waiting({ cause: 'server', attempts: 3 }),
      await waiting({ cause: 'server', attempts: 5, state: 'confirming' }),
    ];
    const [last = '', first = '', other = ''] = ids;
    expect(await outages.check()).toBe(0);
    expect(await publishOn(outages)).toBe(1);
    expect(await dueNow(ids)).toEqual([first]);
    await settle(first, 'posted');
    expect(await publishOn(outages)).toBe(2);
    await db.clock.advance(SECOND);
    expect(await dueNow(ids)).toEqual([last, other]);
    const lines = await db.query<{ target_id: string; params: object }>(
      `select target_id, params from timeline where code = 'server_answers' and event = 'retry'`,
    );
    expect(lines.map(({ target_id }) => target_id).sort()).toEqual([...ids].sort());
    expect(lines[0]?.params).toEqual({ platform: 'MASTODON' });
    expect(await db.query('select 1 from outage_probe')).toEqual([]);
  });

  test('stays while its probe is being tried', async () => {
    const outages = outagesOf();
    const [first, second] = [await waiting({ cause: 'server', attempts: 1 }), await waiting({ cause: 'server' })];
    await publishOn(outages);
    await db.clock.advance(5 * MINUTE);
    await settle(first, 'working', null, 0);
    expect(await publishOn(outages)).toBe(0);
    await db.clock.advance(6 * MINUTE);
    // A probe that takes longer than ten minutes does not delay the next one.
    expect(await publishOn(outages)).toBe(1);
    expect(await dueNow([second])).toEqual([second]);
  });

  test('continues when its probe fails', async () => {
    const outages = outagesOf();
    const ids = [await waiting({ cause: 'server', attempts: 1 }), await waiting({ cause: 'server', attempts: 2 })];
    const [first = '', second = ''] = ids;
    await publishOn(outages);
    await settle(first, 'waiting', 'kept', 10 * MINUTE);
    expect(await publishOn(outages)).toBe(0);
    await db.clock.advance(31 * SECOND);
    expect(await publishOn(outages)).toBe(1);
    expect(await dueNow(ids)).toEqual([second]);
  });

  test('needs a new probe after an earlier one', async () => {
    const outages = outagesOf();
    const probe = await waiting({ cause: 'server' });
    await publishOn(outages);
    await settle(probe, 'posted');
    await db.clock.advance(11 * MINUTE);
    const ids = [await waiting({ cause: 'server' }), await waiting({ cause: 'server' })];
    expect(await publishOn(outages)).toBe(1);
    expect(await dueNow(ids)).toHaveLength(1);
  });

  test('has a probe for each cause', async () => {
    const ids = [await waiting({ cause: 'server' }), await waiting({ cause: 'connection' })];
    const outages = outagesOf();
    expect(await publishOn(outages)).toBe(2);
    expect(await dueNow(ids)).toEqual(ids);
  });

  test.each<[string, Waiting]>([
    ['another server', { cause: 'server', on: { service: 'https://two.example' } }],
    ['another platform', { cause: 'server', on: { platform: 'tiktok', service: '' } }],
    ['a real account', { cause: 'server', on: { sandbox: false } }],
    ['a limit', {}],
    ['quiet hours', { cause: 'server', dueInMs: 2 * HOUR }],
    ['a post before its time', { cause: 'server', state: 'scheduled' }],
    ['a send in progress', { cause: 'server', state: 'committing' }],
  ])('does not move %s', async (_, given) => {
    const id = await waiting(given);
    const before = await due(id);
    expect(await publishOn(outagesOf())).toBe(0);
    expect(await due(id)).toEqual(before);
  });

  test.each([
    ['a step before the send', moved('working')],
    ['a failed poll', moved('confirming', { attempts: 1 } as Trouble)],
    ['a failed post', moved('failed')],
  ])('does not end with %s', async (_, given) => {
    await waiting({ cause: 'server' });
    const outages = outagesOf();
    outages.moved(...given);
    expect(await outages.check()).toBe(0);
  });

  test('moves a target once in five minutes', async () => {
    const outages = outagesOf();
    const id = await waiting({ cause: 'server' });
    await publishOn(outages);
    await settle(id, 'waiting', 'kept', 10 * MINUTE);
    await db.clock.advance(MINUTE);
    expect(await publishOn(outages)).toBe(0);
    await db.clock.advance(4.1 * MINUTE);
    expect(await publishOn(outages)).toBe(1);
  });

  test('has one probe for all workers', async () => {
    const ids = [await waiting({ cause: 'server' }), await waiting({ cause: 'server' })];
    const counts = await Promise.all(Array.from({ length: 4 }, () => publishOn(outagesOf())));
    expect(counts.filter((count) => count > 0)).toEqual([1]);
    const [first = ''] = await dueNow(ids);
    await settle(first, 'confirming', null, MINUTE);
    const later = await Promise.all(Array.from({ length: 4 }, () => publishOn(outagesOf())));
    expect(later.filter((count) => count > 0)).toEqual([1]);
  });

  test('spreads the targets that follow', async () => {
    const outages = outagesOf();
    const probe = await waiting({ cause: 'connection', attempts: 1 });
    const ids: string[] = [];
    while (ids.length < 250) ids.push(await waiting({ cause: 'connection' }));
    const soon = await waiting({ cause: 'connection', attempts: 9, dueInMs: 10 });
    const dueSoon = await due(soon);
    await publishOn(outages);
    await settle(probe, 'posted');
    const before = await db.clock.now();
    const count = await publishOn(outages);
    expect(count).toBeOneOf([250, 251]);
    const after = (await db.clock.now()).getTime() - before.getTime();
    const times = await Promise.all(ids.map(async (id) => ((await due(id))?.getTime() ?? 0) - before.getTime()));
    const sorted = times.toSorted((a, b) => a - b);
    expect(sorted[0]).toBeGreaterThanOrEqual(-1);
    expect(sorted.at(-1)).toBeLessThanOrEqual(251 * 50 * 1.2 + after + 1);
    expect(sorted.at(-1)).toBeGreaterThan(249 * 50 * 0.8 - 1);
    // A target whose own time comes first keeps it.
    expect((await due(soon))?.getTime()).toBeLessThanOrEqual(dueSoon?.getTime() ?? 0);
  }, 60_000);
});

test('posts that waited for a server are published once', async () => {
  const world = await createWorld({ connector, module: simulator });
  try {
    const [owner] = await world.db.query<{ id: string }>('select user_id as id from account');
    const accounts = [world.account];
    for (const name of ['second', 'third', 'fourth']) accounts.push(await world.connect(owner?.id ?? '', name));
    const [healthy, ...others] = accounts;
    const fault = world.simulator.faults.add({
      when: ({ path }) => path === '/api/v2/media',
      times: 1_000,
      fault: { kind: 'reset-before' },
    });
    const worker = await world.worker();
    const ids: string[] = [];
    for (const on of others) ids.push(await world.post({ on, text: `For ${on.id}` }));
    await worker.runUntilIdle();
    while (!(await allWaitLong(world.db))) {
      await world.advanceToNextDue();
      await worker.runUntilIdle();
    }
    fault.remove();
    const settled = await world.post({ on: healthy, text: 'On another account' });
    await world.settle(worker, settled);
    expect(await worker.checkOutages()).toBe(1);
    await settleFirst(world, worker, ids);
    expect(await worker.checkOutages()).toBe(2);
    for (const id of ids) {
      await world.settle(worker, id);
      expect(await world.target(id)).toMatchObject({ state: 'posted', trouble: null });
      expect(await world.timeline(id)).toContain('retry: Mastodon publishes for others again. Trying again soon.');
    }
    expect(await world.simulator.published()).toHaveLength(4);
    expect(world.bugs).toEqual([]);
  } finally {
    await world.close();
  }
});

/** Runs a worker until one of these targets is published. */
async function settleFirst(world: World, worker: TestWorker, ids: readonly string[]): Promise<void> {
  for (const _ of Array.from({ length: 20 })) {
    await worker.runUntilIdle();
    const states = await Promise.all(ids.map(async (id) => (await world.target(id)).state));
    if (states.includes('posted')) return;
    await world.advanceToNextDue();
  }
  throw new Error('No target was published.');
}

/** Whether none is tried again by itself while another post is published, which takes some seconds. */
async function allWaitLong(db: TestDatabase): Promise<boolean> {
  const [row] = await db.query<{ long: boolean }>(
    `select min((trouble->>'attempts')::integer) >= 5 and min(due_at) > app_now() + interval '1 minute' as long
     from target where due_at is not null`,
  );
  return row?.long ?? false;
}
