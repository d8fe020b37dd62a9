import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  firstPart,
  isPartAllowed,
  isTrimmed,
  moveEnd,
  moveStart,
  partOf,
  withPart,
} from '../src/pages/compose/video/part.ts';

const WHOLE = { trimStart: null, trimEnd: null };

describe('the part of a video', () => {
  test('is the whole video at first', () => {
    expect(partOf(WHOLE, 20)).toEqual({ start: 0, end: 20 });
    expect(isTrimmed(WHOLE)).toBe(false);
    expect(isPartAllowed(WHOLE, 20)).toBe(true);
    expect(isPartAllowed(WHOLE, 120)).toBe(false);
  });

  test('of a video that is too long is its beginning', () => {
    expect(firstPart(120)).toEqual({ start: 0, end: 90 });
    const draft = withPart({ previewTime: 0, ...WHOLE }, firstPart(120), 120);
    expect(draft).toEqual({ trimStart: null, trimEnd: 90, previewTime: 0 });
    expect(isPartAllowed(draft, 120)).toBe(true);
  });

  test('stays within a shorter video', () => {
    expect(partOf({ trimStart: 30, trimEnd: 40 }, 20)).toEqual({ start: 20, end: 20 });
  });

  test('is pushed where its length would not be allowed', () => {
    expect(moveStart({ start: 0, end: 10 }, 8, 20)).toEqual({ start: 8, end: 11 });
    expect(moveStart({ start: 0, end: 10 }, 19, 20)).toEqual({ start: 17, end: 20 });
    expect(moveEnd({ start: 10, end: 20 }, 11, 20)).toEqual({ start: 8, end: 11 });
    expect(moveEnd({ start: 10, end: 20 }, 1, 20)).toEqual({ start: 0, end: 3 });
    expect(moveEnd({ start: 10, end: 20 }, 110, 200)).toEqual({ start: 20, end: 110 });
    expect(moveStart({ start: 60, end: 140 }, 20, 200)).toEqual({ start: 20, end: 110 });
  });

  test('can be posted after every move', () => {
    const moves = fc.array(fc.tuple(fc.boolean(), fc.double({ min: -5, max: 700, noNaN: true })), { minLength: 1 });
    fc.assert(
      fc.property(fc.integer({ min: 30, max: 6000 }), moves, (tenths, all) => {
        const seconds = tenths / 10;
        let draft = withPart({ previewTime: 0, ...WHOLE }, firstPart(seconds), seconds);
        for (const [isStart, to] of all) {
          const part = (isStart ? moveStart : moveEnd)(partOf(draft, seconds), to, seconds);
          draft = withPart(draft, part, seconds);
          expect(isPartAllowed(draft, seconds)).toBe(true);
          const { start, end } = partOf(draft, seconds);
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeLessThanOrEqual(seconds);
          expect(draft.previewTime).toBeLessThanOrEqual(end - start);
        }
      }),
    );
  });

  test('keeps the cover, unless it is cut off', () => {
    const draft = { previewTime: 5, ...WHOLE };
    expect(withPart(draft, { start: 2, end: 20 }, 20)).toEqual({ trimStart: 2, trimEnd: null, previewTime: 3 });
    expect(withPart(draft, { start: 6, end: 20 }, 20)).toMatchObject({ previewTime: 0 });
    expect(withPart(draft, { start: 0, end: 4 }, 20)).toMatchObject({ trimEnd: 4, previewTime: 3.9 });
    const later = { previewTime: 3, trimStart: 2, trimEnd: null };
    expect(withPart(later, { start: 0, end: 20 }, 20)).toEqual({ ...WHOLE, previewTime: 5 });
  });
});
