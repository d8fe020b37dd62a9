import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDraw, readSlices } from '../harness/draw.ts';

const ALL = createDraw({ seed: null, slices: null });
const COUNT = 8;
/** Each slice of a run. */
const EACH = Array.from({ length: COUNT }, (_, index) =>
  createDraw({ seed: null, slices: { chosen: [index], count: COUNT } }),
);
const casesOf = (length: number) => Array.from({ length }, (_, index) => index);
const length = fc.nat(200);
const byNumber = (a: number, b: number) => a - b;

describe('eight slices', () => {
  test('are together all cases, each once', () => {
    fc.assert(
      fc.property(length, fc.string(), (count, salt) => {
        const drawn = EACH.flatMap((slice) => slice.drawn(casesOf(count), 5, salt));
        expect(drawn.sort(byNumber)).toEqual(casesOf(count));
      }),
    );
  });

  test('have nearly the same number of cases', () => {
    fc.assert(
      fc.property(length, fc.string(), (count, salt) => {
        const sizes = EACH.map((slice) => slice.drawn(casesOf(count), 5, salt).length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('share many short lists fairly', () => {
    const sizes = EACH.map(({ drawn }) => casesOf(400).flatMap((list) => drawn(['a', 'b'], 2, `list ${list}`)).length);
    expect(Math.min(...sizes)).toBeGreaterThan(50);
    expect(Math.max(...sizes)).toBeLessThan(150);
  });

  test('take every group whose cases are drawn', () => {
    for (const { sampled } of EACH) expect(sampled(casesOf(5), 5, 'groups')).toEqual(casesOf(5));
  });

  test('share the random runs', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), (runs) => {
        const sum = EACH.map(({ shareOf }) => shareOf(runs)).reduce((a, b) => a + b);
        expect(sum).toBeGreaterThanOrEqual(runs);
        expect(sum).toBeLessThan(runs + COUNT);
      }),
    );
  });

  test('can be run two at a time', () => {
    const two = createDraw({ seed: null, slices: readSlices('3,4/8') });
    const [third, fourth] = [EACH[2], EACH[3]].map((slice) => slice?.drawn(casesOf(99), 5, 'salt') ?? []);
    expect(two.drawn(casesOf(99), 5, 'salt')).toEqual([...(third ?? []), ...(fourth ?? [])].sort(byNumber));
    expect(two.shareOf(80)).toBe(20);
  });
});

describe('a sample', () => {
  const sampleOf = (seed: number) => createDraw({ seed, slices: null });

  test('has its share of the cases, at least one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 30 }), fc.nat(), (count, oneIn, seed) => {
        const { drawn, sampled } = sampleOf(seed);
        expect(drawn(casesOf(count), oneIn)).toHaveLength(Math.ceil(count / oneIn));
        expect(sampled(casesOf(count), oneIn)).toEqual(drawn(casesOf(count), oneIn));
      }),
    );
  });

  test('repeats by its seed and differs by its salt', () => {
    const { drawn } = sampleOf(7);
    expect(sampleOf(7).drawn(casesOf(100), 10, 'a')).toEqual(drawn(casesOf(100), 10, 'a'));
    expect(drawn(casesOf(100), 10, 'b')).not.toEqual(drawn(casesOf(100), 10, 'a'));
  });
});

test('a full run has all cases and all random runs', () => {
  expect(ALL.drawn(casesOf(30), 5)).toEqual(casesOf(30));
  expect(ALL.sampled(casesOf(30), 5)).toEqual(casesOf(30));
  expect(ALL.shareOf(1_000)).toBe(1_000);
});

test.each(['9/8', '0/8', '1', 'a/8', '1,/8', '1.5/8'])('there is no slice %s', (text) => {
  expect(() => readSlices(text)).toThrow(`REELAY_TEST_SLICE must look like 3/8 or 3,4/8, not "${text}".`);
});
