import { afterEach, expect, test, vi } from 'vitest';
import { createHints } from '../../src/watching/push/early-checks.ts';

afterEach(() => void vi.useRealTimers());

/** @param results what each hurry returns; then 1 */
function start(...results: (number | Error)[]) {
  vi.useFakeTimers();
  const hurried: string[] = [];
  const errors: unknown[] = [];
  const woken = { times: 0 };
  const hints = createHints({
    async hurry([id = '']) {
      hurried.push(id);
      const result = results.shift() ?? 1;
      if (result instanceof Error) throw result;
      return result;
    },
    onHurried: () => woken.times++,
    onError: (error) => errors.push(error),
    apartMs: 100,
  });
  return { hints, hurried, errors, woken };
}

test('an announcement acts at once', async () => {
  const { hints, hurried, woken } = start();
  hints.add(['a', 'b']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([hurried, woken.times]).toEqual([['a', 'b'], 2]);
});

test('many announcements cause few checks', async () => {
  const { hints, hurried } = start();
  for (let i = 0; i < 1_000; i++) {
    hints.add(['a']);
    await vi.advanceTimersByTimeAsync(1);
  }
  await vi.advanceTimersByTimeAsync(1_000);
  expect(hurried.length).toBeLessThanOrEqual(11);
  expect(hurried.length).toBeGreaterThan(5);
});

test('an announcement during a check is repeated a few times', async () => {
  const { hints, hurried, woken } = start(0, 0, 1);
  hints.add(['a']);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([hurried, woken.times]).toEqual([['a', 'a', 'a'], 1]);
  const never = start(0, 0, 0, 0, 0, 0, 0);
  never.hints.add(['a']);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([never.hurried.length, never.woken.times]).toEqual([4, 0]);
});

test('an announcement acts again when lists show the post', async () => {
  const { hints, hurried } = start();
  hints.add(['a', 'b'], 1_000);
  await vi.advanceTimersByTimeAsync(900);
  hints.add(['b'], 1_000);
  await vi.advanceTimersByTimeAsync(200);
  expect(hurried).toEqual(['a', 'b', 'b', 'a']);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(hurried).toEqual(['a', 'b', 'b', 'a', 'b']);
});

test('an unavailable database loses the announcement only', async () => {
  const { hints, hurried, errors } = start(new Error('away'));
  hints.add(['a']);
  await vi.advanceTimersByTimeAsync(1_000);
  hints.add(['a']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([hurried.length, errors.length]).toEqual([2, 1]);
});

test('nothing is repeated after the stop', async () => {
  const { hints, hurried } = start();
  hints.add(['a'], 500);
  hints.add(['a']);
  hints.stop();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(hurried).toEqual(['a']);
});
