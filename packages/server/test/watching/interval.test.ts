import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/lib/time.ts';
import { nextCheckMs, retryCheckMs } from '../../src/watching/check-interval.ts';

const NOW = Date.UTC(2026, 10, 21, 10);

test('an account that posts often is checked every minute', () => {
  const recent = [1, 2, 3].map((hour) => NOW - (hour * HOUR) / 4);
  expect(nextCheckMs({ recent, now: NOW, sandbox: false })).toBe(MINUTE);
});

test('an account without recent posts is checked every 15 minutes', () => {
  expect(nextCheckMs({ recent: [], now: NOW, sandbox: false })).toBe(15 * MINUTE);
  expect(nextCheckMs({ recent: [NOW - 30 * DAY], now: NOW, sandbox: false })).toBe(15 * MINUTE);
});

test('two posts a day mean checks every 12 minutes', () => {
  const recent = [1, 2, 3, 4].map((half) => NOW - half * 12 * HOUR);
  expect(nextCheckMs({ recent, now: NOW, sandbox: false })).toBe(12 * MINUTE);
});

test("the platform's limit bounds the interval", () => {
  const minMs = 20 * MINUTE;
  const recent = [1, 2, 3].map((hour) => NOW - (hour * HOUR) / 4);
  expect(nextCheckMs({ recent, now: NOW, sandbox: false, minMs })).toBe(minMs);
  expect(nextCheckMs({ recent: [], now: NOW, sandbox: false, minMs })).toBe(minMs);
  expect(nextCheckMs({ recent, now: NOW, sandbox: true, minMs })).toBeLessThan(MINUTE);
});

test('intervals stay between 1 and 15 minutes', () => {
  const times = fc.array(fc.integer({ min: -DAY, max: 400 * DAY }), { maxLength: 10 });
  fc.assert(
    fc.property(times, (ages) => {
      const recent = ages.map((age) => NOW - age).sort((a, b) => b - a);
      const ms = nextCheckMs({ recent, now: NOW, sandbox: false });
      expect(ms).toBeGreaterThanOrEqual(MINUTE);
      expect(ms).toBeLessThanOrEqual(15 * MINUTE);
    }),
  );
});

test('failed checks are repeated more and more slowly', () => {
  const waits = [1, 2, 3, 4, 5, 100].map((attempts) => retryCheckMs(attempts, false) / MINUTE);
  expect(waits).toEqual([1, 2, 4, 8, 15, 15]);
});
