import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type Claim, dueRows, keepLease, LeaseLost } from '../../src/queue/claim.ts';
import { createDueLoop } from '../../src/queue/loop.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

let db: TestDatabase;
const rows = dueRows('file_removal', { key: 'storage_key', user: null });
const add = (key: string, dueInMs = 0) =>
  db.execute(`insert into file_removal (storage_key, due_at) values ($1, app_now() + $2::float8 * interval '1 ms')`, [
    key,
    dueInMs,
  ]);
const read = async (key: string) => (await db.query('select * from file_removal where storage_key = $1', [key]))[0];
const options = { limit: 10, leaseMs: 10_000 };

beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(() => db.execute('delete from file_removal'));
afterAll(() => db.drop());

test('due rows are claimed earliest first, up to the limit', async () => {
  await add('late', -2_000);
  await add('later', -1_000);
  await add('future', 60_000);
  expect((await rows.claim(db, { ...options, limit: 1 })).map((claim) => claim.key)).toEqual(['late']);
  expect((await rows.claim(db, options)).map((claim) => claim.key)).toEqual(['later']);
  expect(await rows.claim(db, options)).toEqual([]);
  await db.clock.advance(61_000);
  expect((await rows.claim(db, options)).map((claim) => claim.key)).toContain('future');
});

test('each row is claimed by one of many workers', async () => {
  for (let n = 0; n < 60; n++) await add(`row-${n}`);
  const pools = [db, db.another(), db.another(), db.another()];
  const claims = await Promise.all(
    Array.from({ length: 24 }, (_, n) => rows.claim(pools[n % 4] ?? db, { ...options, limit: 5 })),
  );
  const rest = await rows.claim(db, { ...options, limit: 60 });
  const keys = [...claims.flat(), ...rest].map((claim) => claim.key);
  expect(keys).toHaveLength(60);
  expect(new Set(keys).size).toBe(60);
});

test('a row is changed by another worker after its lease', async () => {
  await add('a');
  const [first] = await rows.claim(db, options);
  await db.clock.advance(11_000);
  const [second] = await rows.claim(db, options);
  if (!first || !second) throw new Error('Nothing was claimed.');
  expect(second).toMatchObject({ fence: first.fence + 1, attempts: 2 });
  expect(await rows.renew(db, first, 60_000)).toBe(false);
  expect(await rows.release(db, first, { afterMs: null, failed: false })).toBe(false);
  expect(await rows.remove(db, first)).toBe(false);
  expect(await read('a')).toMatchObject({ fence: second.fence });
  expect(await rows.remove(db, second)).toBe(true);
  expect(await read('a')).toBeUndefined();
});

test('a job in progress keeps its lease until it ends', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  await add('a');
  const [claim] = await rows.claim(db, options);
  if (!claim) throw new Error('Nothing was claimed.');
  const until = async () => Number((await read('a'))?.lease_until) - (await db.clock.now()).getTime();
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const lease = keepLease(db, rows, claim, { leaseMs: 10_000, withinMs: 3_600_000, onError });
  onTestFinished(lease.end);
  await db.clock.advance(9_000);
  vi.advanceTimersByTime(3_400);
  await expect.poll(until).toBeGreaterThan(9_000);
  expect(lease.signal.aborted).toBe(false);
  await db.clock.advance(11_000);
  await rows.claim(db, options);
  vi.advanceTimersByTime(3_400);
  await expect.poll(() => lease.signal.reason).toBeInstanceOf(LeaseLost);
  lease.end();
  vi.advanceTimersByTime(60_000);
  expect(vi.getTimerCount()).toBe(0);
  expect(errors).toEqual([]);
});

test('a renewed lease holds and is never shortened', async () => {
  await add('a');
  const [claim] = await rows.claim(db, options);
  if (!claim) throw new Error('Nothing was claimed.');
  await rows.renew(db, claim, 60_000);
  await rows.renew(db, claim, 1_000);
  await db.clock.advance(30_000);
  expect(await rows.claim(db, options)).toEqual([]);
});

test('attempts count failures, reset on success and end when finished', async () => {
  await add('a');
  for (let round = 1; round <= 3; round++) {
    const [claim] = await rows.claim(db, options);
    expect(claim?.attempts).toBe(round);
    if (claim) await rows.release(db, claim, { afterMs: 1_000, failed: true });
    await db.clock.advance(1_001);
  }
  const [claim] = await rows.claim(db, options);
  if (claim) await rows.release(db, claim, { afterMs: null, failed: false });
  await db.clock.advance(86_400_000);
  expect(await rows.claim(db, options)).toEqual([]);
  expect(await read('a')).toMatchObject({ attempts: 0, due_at: null, lease_until: null });
});

test('a row can be taken early unless it is leased', async () => {
  await add('a', 60_000);
  const taken = await rows.take(db, 'a', 10_000);
  expect(taken).toMatchObject({ key: 'a', attempts: 1 });
  expect(await rows.take(db.another(), 'a', 10_000)).toBeNull();
  expect(await rows.claim(db, options)).toEqual([]);
  await db.clock.advance(10_001);
  expect(await rows.claim(db, options)).toMatchObject([{ key: 'a', attempts: 2 }]);
});

/** Delays that end only when the test ends them, or when aborted. */
function naps() {
  const lengths: number[] = [];
  let end = () => {};
  return {
    lengths,
    end: () => end(),
    pause: (ms: number, signal: AbortSignal) => {
      lengths.push(ms);
      return new Promise<void>((resolve) => {
        end = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    },
  };
}

const loopOver = (jobs: number[], extra: Partial<Parameters<typeof createDueLoop<number>>[0]> = {}) => {
  const done: number[] = [];
  const errors: unknown[] = [];
  const nap = naps();
  const loop = createDueLoop<number>({
    claim: async (limit) => jobs.splice(0, limit),
    run: async (job) => void done.push(job),
    concurrency: 3,
    withinMs: 60_000,
    onError: (error) => errors.push(error),
    pause: nap.pause,
    ...extra,
  });
  return { loop, done, errors, nap };
};

test('a loop runs all due work, then polls or wakes', async () => {
  const jobs = [1, 2, 3, 4, 5, 6, 7];
  const { loop, done, nap } = loopOver(jobs);
  loop.start();
  await expect.poll(() => done).toHaveLength(7);
  await expect.poll(() => nap.lengths.at(-1)).toBe(1_000);
  jobs.push(8);
  loop.wake();
  await expect.poll(() => done).toContain(8);
  jobs.push(9);
  nap.end();
  await expect.poll(() => done).toContain(9);
  await loop.stop();
});

test('a loop claims on when jobs end during a claim', async () => {
  const jobs = [1, 2, 3, 4, 5];
  const ends = new Map<number, () => void>();
  const claims: (() => void)[] = [];
  const { loop } = loopOver(jobs, {
    concurrency: 2,
    claim: async (limit) => {
      await new Promise<void>((resolve) => claims.push(resolve));
      return jobs.splice(0, limit);
    },
    run: (job) => new Promise((resolve) => ends.set(job, resolve)),
  });
  loop.start();
  await expect.poll(() => claims).toHaveLength(1);
  claims[0]?.();
  await expect.poll(() => [...ends.keys()]).toEqual([1, 2]);
  ends.get(1)?.();
  await expect.poll(() => claims).toHaveLength(2);
  // This claim asked for one job, and now there is room for two.
  ends.get(2)?.();
  claims[1]?.();
  await expect.poll(() => [...ends.keys()]).toEqual([1, 2, 3]);
  await expect.poll(() => claims).toHaveLength(3);
  claims[2]?.();
  await expect.poll(() => [...ends.keys()]).toEqual([1, 2, 3, 4]);
  const stopping = loop.stop();
  for (const end of ends.values()) end();
  await stopping;
});

test('a loop never exceeds its concurrency', async () => {
  let active = 0;
  let most = 0;
  const { loop, done } = loopOver(
    Array.from({ length: 40 }, (_, n) => n),
    {
      run: async (job) => {
        active++;
        most = Math.max(most, active);
        await new Promise((resolve) => setImmediate(resolve));
        active--;
        done.push(job);
      },
    },
  );
  loop.start();
  await expect.poll(() => done).toHaveLength(40);
  await loop.stop();
  expect(most).toBe(3);
});

test('a loop without database backs off and recovers', async () => {
  let away = true;
  const jobs = [1];
  const { loop, done, errors, nap } = loopOver(jobs, {
    claim: async (limit) => {
      if (away) throw new Error('away');
      return jobs.splice(0, limit);
    },
  });
  loop.start();
  for (let round = 1; round <= 7; round++) {
    await expect.poll(() => nap.lengths).toHaveLength(round);
    loop.wake();
    nap.end();
  }
  expect(nap.lengths.slice(0, 7)).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  away = false;
  nap.end();
  await expect.poll(() => done).toEqual([1]);
  expect(errors.length).toBeGreaterThanOrEqual(7);
  await loop.stop();
});

test.each([
  [2_000, [4_000, 8_000, 16_000, 30_000, 30_000]],
  [15_000, [30_000, 30_000]],
  [60_000, [60_000, 60_000]],
])('a loop every %i ms limits its backoff', async (everyMs, pauses) => {
  const { loop, nap } = loopOver([], {
    everyMs,
    claim: async () => {
      throw new Error('away');
    },
  });
  loop.start();
  for (let round = 1; round <= pauses.length; round++) {
    await expect.poll(() => nap.lengths, { interval: 1 }).toHaveLength(round);
    nap.end();
  }
  expect(nap.lengths.slice(0, pauses.length)).toEqual(pauses);
  await loop.stop();
});

test('a job that throws is reported and affects no other', async () => {
  const { loop, done, errors } = loopOver([1, 2, 3], {
    run: async (job) => {
      if (job === 2) throw new Error('bad');
      done.push(job);
    },
  });
  expect(await loop.runOnce()).toBe(3);
  expect(done).toEqual([1, 3]);
  expect(errors).toMatchObject([{ message: 'bad' }]);
});

test('stopping claims nothing more and waits for running jobs', async () => {
  let finish = () => {};
  const running = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const jobs = [1, 2];
  const { loop, done } = loopOver(jobs, {
    concurrency: 1,
    run: async (job) => {
      await running;
      done.push(job);
    },
  });
  loop.start();
  await expect.poll(() => jobs).toEqual([2]);
  const stopped = loop.stop().then(() => [...done]);
  finish();
  expect(await stopped).toEqual([1]);
  expect(jobs).toEqual([2]);
});

test('two loops on one table never share a row', async () => {
  for (let n = 0; n < 30; n++) await add(`row-${n}`);
  const seen: string[] = [];
  const loops = [db, db.another()].map((database) =>
    createDueLoop<Claim>({
      claim: (limit) => rows.claim(database, { limit, leaseMs: 10_000 }),
      run: async (claim) => {
        seen.push(claim.key);
        await rows.remove(database, claim);
      },
      concurrency: 4,
      withinMs: 60_000,
      onError: (error) => {
        throw error;
      },
    }),
  );
  while ((await Promise.all(loops.map((loop) => loop.runOnce()))).some((claimed) => claimed > 0));
  expect(seen.sort()).toEqual([...new Set(seen)].sort());
  expect(seen).toHaveLength(30);
});

test.each([
  ['a finished row', { afterMs: null, failed: false }],
  ['a row given back', { afterMs: 60_000, failed: false }],
] as const)('%s is not released or renewed again', async (_, next) => {
  await add('a');
  const [claim] = await rows.claim(db, options);
  if (!claim) throw new Error('Nothing was claimed.');
  await rows.release(db, claim, next);
  const before = await read('a');
  // As after a write whose response was lost: the caller assumes that it failed.
  expect(await rows.release(db, claim, { afterMs: 0, failed: true })).toBe(false);
  expect(await rows.renew(db, claim, 60_000)).toBe(false);
  expect(await read('a')).toEqual(before);
});

/** A loop with a test clock. */
const timed = (extra: Partial<Parameters<typeof createDueLoop<number>>[0]>) => {
  const time = { now: 0 };
  return { time, ...loopOver([], { clock: () => time.now, ...extra }) };
};

test('a claim that never returns does not stop the loop', async () => {
  const claims: number[] = [];
  const { loop, done, errors, nap } = loopOver([], {
    claimWithinMs: 5,
    claim: (limit) =>
      claims.push(limit) === 1 ? new Promise(() => {}) : Promise.resolve(claims.length === 2 ? [7] : []),
  });
  loop.start();
  await expect.poll(() => nap.lengths).toEqual([2_000]);
  expect(errors).toMatchObject([{ message: expect.stringContaining('The claim did not return') }]);
  nap.end();
  await expect.poll(() => done).toEqual([7]);
  await loop.stop();
});

test('a loop without a successful claim reports it', async () => {
  const { loop, time, nap } = timed({
    claim: async () => {
      if (time.now >= 10_000) throw new Error('away');
      return [];
    },
  });
  expect(loop.status()).toEqual({ ok: true, detail: 'ok' });
  loop.start();
  await expect.poll(() => nap.lengths).toHaveLength(1);
  time.now = 59_000;
  nap.end();
  await expect.poll(() => nap.lengths).toHaveLength(2);
  expect(loop.status().ok).toBe(true);
  time.now = 61_000;
  expect(loop.status()).toEqual({ ok: false, detail: 'no successful claim for 61 s' });
  await loop.stop();
  expect(loop.status().ok).toBe(true);
});

test('a chore that hangs or fails delays no claim', async () => {
  const errors: unknown[] = [];
  const ran: string[] = [];
  const hanging = Promise.withResolvers<void>();
  let now = 0;
  let chores = 0;
  const loop = createDueLoop<Claim>({
    chore: {
      everyMs: 60_000,
      run: () => {
        chores++;
        return chores === 1 ? hanging.promise : Promise.reject(new Error('The search failed.'));
      },
    },
    claim: (limit) => rows.claim(db, { limit, leaseMs: 10_000 }),
    run: async (claim) => {
      ran.push(claim.key);
      await rows.remove(db, claim);
    },
    concurrency: 2,
    withinMs: 60_000,
    onError: (error) => errors.push(error),
    clock: () => now,
  });
  await add('beside');
  loop.start();
  await vi.waitFor(() => expect(ran).toEqual(['beside']));
  now += 120_000;
  loop.wake();
  expect(chores).toBe(1);
  hanging.resolve();
  await vi.waitFor(() => expect(errors).toHaveLength(1));
  await add('after');
  loop.wake();
  await vi.waitFor(() => expect(ran).toEqual(['beside', 'after']));
  expect(chores).toBe(2);
  now += 10_000;
  loop.wake();
  await vi.waitFor(() => expect(chores).toBe(3));
  await loop.stop();
});

test('jobs that do not end are reported once each', async () => {
  const jobs = [1];
  let finish = () => {};
  const running = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { loop, time, nap, errors } = timed({
    concurrency: 2,
    withinMs: 60_000,
    claim: async (limit) => jobs.splice(0, limit),
    run: () => running,
  });
  loop.start();
  for (const [now, expected] of [
    [30_000, { ok: true, detail: 'ok' }],
    [61_000, { ok: true, detail: '1 of 2 slots overdue' }],
  ] as const) {
    const turns = nap.lengths.length;
    await expect.poll(() => nap.lengths.length).toBeGreaterThan(turns - 1);
    time.now = now;
    nap.end();
    await expect.poll(() => nap.lengths.length).toBeGreaterThan(turns);
    expect(loop.status()).toEqual(expected);
  }
  jobs.push(2);
  nap.end();
  await expect.poll(() => jobs).toEqual([]);
  await expect.poll(() => nap.lengths.length).toBeGreaterThan(3);
  const polls = nap.lengths.length;
  time.now = 120_000;
  nap.end();
  await expect.poll(() => nap.lengths.length).toBeGreaterThan(polls);
  time.now = 130_000;
  nap.end();
  await expect.poll(() => errors).toHaveLength(2);
  expect(errors[0]).toMatchObject({ message: 'A job has been running for more than 1 minutes.' });
  // Their own time limits may still end them.
  expect(loop.status()).toEqual({ ok: true, detail: '2 of 2 slots overdue' });
  time.now = 200_000;
  nap.end();
  await expect.poll(() => loop.status()).toEqual({ ok: false, detail: '2 of 2 slots overdue' });
  finish();
  await expect.poll(() => loop.status()).toEqual({ ok: true, detail: 'ok' });
  await loop.stop();
});

test('a loop busy with long jobs works', async () => {
  const over = Promise.withResolvers<void>();
  const jobs = [1, 2];
  const { loop, time, nap } = timed({
    concurrency: 2,
    withinMs: 40 * 60_000,
    claim: async (limit) => jobs.splice(0, limit),
    run: () => over.promise,
  });
  loop.start();
  await expect.poll(() => jobs).toEqual([]);
  for (let minutes = 1; minutes <= 39; minutes++) {
    const turns = nap.lengths.length;
    time.now = minutes * 60_000;
    nap.end();
    await expect.poll(() => nap.lengths.length, { interval: 1 }).toBeGreaterThan(turns);
    expect(loop.status()).toEqual({ ok: true, detail: 'ok' });
  }
  over.resolve();
  await loop.stop();
});
