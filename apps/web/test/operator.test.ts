import { expect, test } from 'vitest';
import { byUrgency } from '../src/pages/operator/findings.ts';
import { barsOf, usedShare } from '../src/pages/operator/usage.ts';
import { faultOf, withFault } from '../src/pages/sandbox/faults.ts';
import { durationOf, sizeOf } from '../src/ui/units.ts';

test.each([
  [0, 0, 'byte'],
  [999, 999, 'byte'],
  [1_000, 1, 'kilobyte'],
  [1_540_000, 1.5, 'megabyte'],
  [999_960_000, 1, 'gigabyte'],
  [123_400_000_000, 123, 'gigabyte'],
  [5e18, 5_000_000, 'terabyte'],
])('%d bytes are shown as %d %s', (bytes, value, unit) => {
  expect(sizeOf(bytes)).toEqual({ value, unit });
});

test.each([
  [-3, 0, 'second'],
  [59, 59, 'second'],
  [60, 1, 'minute'],
  [7_199, 1, 'hour'],
  [200_000, 2, 'day'],
])('%d seconds are shown as %d %s', (seconds, value, unit) => {
  expect(durationOf(seconds)).toEqual({ value, unit });
});

test('the used share stays between 0 and 1', () => {
  expect([
    usedShare({ value: 10, used: 5 }),
    usedShare({ value: 3, used: 9 }),
    usedShare({ value: 0, used: 0 }),
    usedShare({ value: 0, used: 1 }),
  ]).toEqual([0.5, 1, 0, 1]);
});

test('bars are scaled to the highest interval', () => {
  const bars = barsOf([
    { at: 'a', posted: 3, failed: 1 },
    { at: 'b', posted: 0, failed: 2 },
  ]);
  expect(bars.map(({ postedShare, failedShare }) => [postedShare, failedShare])).toEqual([
    [0.75, 0.25],
    [0, 0.5],
  ]);
  expect(barsOf([{ at: 'a', posted: 0, failed: 0 }])[0]?.postedShare).toBe(0);
});

test('problems are listed before notes and successes', () => {
  const finding = (verdict: 'ok' | 'note' | 'fail', name: string) => ({ verdict, name, text: '' });
  const sorted = byUrgency([finding('ok', 'a'), finding('fail', 'b'), finding('note', 'c'), finding('fail', 'd')]);
  expect(sorted.map(({ name }) => name)).toEqual(['b', 'd', 'c', 'a']);
});

test('a platform has at most one fault', () => {
  const first = withFault([], 'a', { kind: 'slow', share: 1 });
  const second = withFault(withFault(first, 'b', { kind: 'slow', share: 1 }), 'a', { kind: 'down', share: 0.5 });
  expect(second).toHaveLength(2);
  expect(faultOf(second, 'a')).toEqual({ platform: 'a', kind: 'down', share: 0.5 });
  expect(faultOf(withFault(second, 'a', null), 'a')).toBeNull();
});
