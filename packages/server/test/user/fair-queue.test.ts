import { expect, test } from 'vitest';
import { createFairQueue } from '../../src/users/fair-queue.ts';

/** Jobs that end on request, in the order in which they started. */
function jobs(queue: ReturnType<typeof createFairQueue>) {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const add = (key: string) =>
    queue
      .run(key, () => {
        started.push(key);
        return new Promise<void>((resolve) => ends.push(resolve));
      })
      .then(
        () => 'done',
        (error: { code?: string }) => error.code,
      );
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  /** Ends the oldest running job. */
  const end = async () => {
    ends.shift()?.();
    await settle();
  };
  return { started, add, end, settle };
}

test('jobs of different keys take turns', async () => {
  const { started, add, end, settle } = jobs(createFairQueue({ places: 1, capacity: 10 }));
  const all = ['a', 'a', 'a', 'a', 'b', 'c'].map(add);
  await settle();
  for (let count = 0; count < 6; count++) await end();
  expect(started).toEqual(['a', 'a', 'b', 'c', 'a', 'a']);
  expect(await Promise.all(all)).toEqual(Array(6).fill('done'));
});

test('a full queue rejects its busiest key', async () => {
  const { started, add, end, settle } = jobs(createFairQueue({ places: 1, capacity: 3 }));
  const first = ['a', 'a', 'a', 'a'].map(add);
  const refused = add('a');
  await settle();
  expect(await refused).toBe('busy');
  const other = add('b');
  expect(await first[3]).toBe('busy');
  for (let count = 0; count < 4; count++) await end();
  expect(started).toEqual(['a', 'a', 'b', 'a']);
  expect(await other).toBe('done');
});

test('a job is rejected if all keys have one', async () => {
  const { add, end, settle } = jobs(createFairQueue({ places: 1, capacity: 2 }));
  const taken = ['a', 'b', 'c'].map(add);
  await settle();
  expect(await add('d')).toBe('busy');
  for (let count = 0; count < 3; count++) await end();
  expect(await Promise.all(taken)).toEqual(['done', 'done', 'done']);
});

test('a failing job releases its place', async () => {
  const queue = createFairQueue({ places: 1, capacity: 1 });
  await expect(queue.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await queue.run('a', async () => 7)).toBe(7);
});
