/** Delay and jitter of a repost. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { earliestAt } from '../../../src/reposts/options/timing.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const anyInstant = fc.integer({ min: Date.parse('1972-02-01T00:00Z'), max: Date.parse('2060-01-01T00:00Z') });

describe('delay and jitter', () => {
  test.each([
    [0, 0, 0.99, 0],
    [5, 0, 0.5, 5 * MINUTE],
    [0, 10, 0, 0],
    [0, 10, 0.5, 5 * MINUTE],
    [10_080, 1_440, 0.999_999_999_9, 8 * DAY - 1],
  ])('%i min and up to %i min, with %d', (delayMinutes, jitterMinutes, random, expected) => {
    expect(earliestAt({ delayMinutes, jitterMinutes }, { seenAt: 1_000, random })).toBe(1_000 + expected);
  });

  test('stay within their limits, and grow with the random number', () => {
    const options = fc.record({
      delayMinutes: fc.integer({ min: 0, max: 10_080 }),
      jitterMinutes: fc.integer({ min: 0, max: 1_440 }),
    });
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(options, anyInstant, random, random, (given, seenAt, one, two) => {
        const [low, high] = [Math.min(one, two), Math.max(one, two)].map((each) =>
          earliestAt(given, { seenAt, random: each }),
        ) as [number, number];
        const delayed = seenAt + given.delayMinutes * MINUTE;
        expect(Number.isInteger(low) && low >= delayed && low <= high).toBe(true);
        expect(high <= delayed + given.jitterMinutes * MINUTE).toBe(true);
      }),
    );
  });
});
