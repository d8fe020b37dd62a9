import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createKeyedSemaphore, createSemaphore, createSharedSemaphore } from '../../src/lib/semaphore.ts';

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a semaphore', () => {
  test('limits concurrency and keeps the order of arrival', async () => {
    const semaphore = createSemaphore(2);
    const order: number[] = [];
    let running = 0;
    let most = 0;
    const job = (id: number) =>
      semaphore.run(async () => {
        order.push(id);
        running += 1;
        most = Math.max(most, running);
        await settle();
        running -= 1;
        if (id === 1) throw new Error('one fails');
      });
    await Promise.allSettled([0, 1, 2, 3, 4, 5].map(job));
    expect(most).toBe(2);
    expect(order).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('releases an aborted waiter without losing a slot', async () => {
    const semaphore = createSemaphore(1);
    const gate = Promise.withResolvers<void>();
    const first = semaphore.run(() => gate.promise);
    const stop = new AbortController();
    const second = semaphore.run(async () => 'never', stop.signal);
    const third = semaphore.run(async () => 'third');
    stop.abort(new Error('gave up'));
    await expect(second).rejects.toThrow('gave up');
    gate.resolve();
    await first;
    expect(await third).toBe('third');
  });
});

/** Jobs that end on request. */
function world(semaphore: ReturnType<typeof createSharedSemaphore>) {
  const jobs: { key: string; state: 'waits' | 'runs' | 'ended' | 'aborted'; end(): void; abort(): void }[] = [];
  const started: string[] = [];
  const add = (key: string) => {
    const over = Promise.withResolvers<void>();
    const stop = new AbortController();
    const job: (typeof jobs)[number] = { key, state: 'waits', end: over.resolve, abort: () => stop.abort('aborted') };
    jobs.push(job);
    const run = async () => {
      job.state = 'runs';
      started.push(key);
      await over.promise;
    };
    semaphore.run(key, run, stop.signal).then(
      () => {
        job.state = 'ended';
      },
      () => {
        job.state = 'aborted';
      },
    );
    return job;
  };
  const inState = (state: string) => jobs.filter((job) => job.state === state);
  const held = (key: string) => inState('runs').filter((job) => job.key === key).length;
  return { jobs, started, add, inState, held };
}

describe('a shared semaphore', () => {
  test('leaves slots to others while one user has many jobs', async () => {
    const { started, add } = world(createSharedSemaphore({ slots: 4 }));
    for (let count = 0; count < 10; count++) add('slow');
    add('other');
    await settle();
    expect(started).toEqual(['slow', 'slow', 'other']);
  });

  test('users take turns', async () => {
    const { started, add, inState } = world(createSharedSemaphore({ slots: 1 }));
    for (const key of ['a', 'a', 'a', 'b', 'c', 'b']) add(key);
    await settle();
    for (let count = 0; count < 6; count++) {
      inState('runs')[0]?.end();
      await settle();
    }
    expect(started).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  });

  test('gives each key one slot if wanted', async () => {
    const { started, add, inState } = world(createKeyedSemaphore());
    for (const key of ['a', 'a', 'b', 'c', 'c']) add(key);
    await settle();
    expect(started).toEqual(['a', 'b', 'c']);
    for (const job of inState('runs')) job.end();
    await settle();
    expect(started.slice(3).toSorted()).toEqual(['a', 'c']);
  });

  test('loses no slot and starves nobody', async () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('add'), pick: fc.nat(4) }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('end'), pick: fc.nat(50) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('abort'), pick: fc.nat(50) }) },
    );
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
      fc.array(step, { maxLength: 60 }),
      async (slots, share, steps) => {
        const maxHeld = share ?? Math.max(1, Math.floor(slots / 2));
        const { jobs, started, add, inState, held } = world(createSharedSemaphore({ slots, share }));
        /** For each user without a slot who waits: the users who began a job meanwhile. */
        const overtaking = new Map<string, string[]>();
        const check = async () => {
          const before = started.length;
          await settle();
          const waiting = new Set(inState('waits').map(({ key }) => key));
          expect(inState('runs').length).toBeLessThanOrEqual(slots);
          for (const { key } of jobs) expect(held(key)).toBeLessThanOrEqual(maxHeld);
          const isFull = inState('runs').length === slots;
          for (const key of waiting) expect(isFull || held(key) === maxHeld).toBe(true);
          for (const key of [...overtaking.keys()]) if (!waiting.has(key) || held(key) > 0) overtaking.delete(key);
          for (const others of overtaking.values()) others.push(...started.slice(before));
          for (const key of waiting) if (held(key) === 0 && !overtaking.has(key)) overtaking.set(key, []);
          for (const others of overtaking.values()) expect(new Set(others).size).toBe(others.length);
        };
        for (const { kind, pick } of steps) {
          const running = inState('runs');
          const waiting = inState('waits');
          if (kind === 'add') add(`user ${pick}`);
          else if (kind === 'end') running[pick % Math.max(1, running.length)]?.end();
          else waiting[pick % Math.max(1, waiting.length)]?.abort();
          await check();
        }
        for (let left = jobs.length; left > 0 && inState('runs').length > 0; left--) {
          inState('runs')[0]?.end();
          await check();
        }
        expect(jobs.filter(({ state }) => state === 'waits' || state === 'runs')).toEqual([]);
        expect(started).toHaveLength(inState('ended').length);
        // All slots are free again.
        const last = Array.from({ length: slots }, (_, n) => add(`last ${n}`));
        await settle();
        expect(last.map(({ state }) => state)).toEqual(Array(slots).fill('runs'));
      },
    );
    await fc.assert(property, { numRuns: 200 });
  });
});
