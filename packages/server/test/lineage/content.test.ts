import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ContentForm, compareContent, contentKey, isSameText } from '../../src/lineage/content.ts';

const form = (durationMs: number | null, isMeasured = true, text = 'Sunset run'): ContentForm => ({
  text,
  durationMs,
  isMeasured,
});

describe('content with the same text', () => {
  test.each([
    ['measured lengths half a second apart', form(12_500), form(12_000), 'same'],
    ['measured lengths further apart', form(12_501), form(12_000), 'different'],
    ['measured lengths in whole seconds', form(12_000), form(13_000), 'different'],
    ['reported lengths in ms', form(12_400, false), form(12_001, false), 'same'],
    ['a whole second that may be the same', form(12_000, false), form(13_499), 'unclear'],
    ['an equal whole second', form(12_000, false), form(12_000), 'unclear'],
    ['a whole second that cannot be the same', form(12_000, false), form(13_500), 'different'],
    ['an unknown length', form(null, false), form(12_000), 'unclear'],
  ] as const)('is compared by %s', (_, one, other, likeness) => {
    expect(compareContent(one, other)).toBe(likeness);
    expect(compareContent(other, one)).toBe(likeness);
  });

  test('differs by its text despite equal lengths', () => {
    expect(compareContent(form(12_000), form(12_000, true, 'Sunset runs'))).toBe('different');
    expect(compareContent(form(null, false, ''), form(null, false, ''))).toBe('different');
    expect(compareContent(form(null, false, '🌅'), form(null, false, '🌅'))).toBe('different');
  });
});

const words = fc.array(fc.constantFrom('run', 'SUN', 'é', ' ', '!', '🌅', '7', '日'), { maxLength: 60 });

test('equal texts have the same key', () => {
  const cut = fc.tuple(words, words).map(([start, more]) => [start.join(''), [...start, ...more].join('')] as const);
  fc.assert(
    fc.property(cut, ([short, long]) => {
      fc.pre(isSameText(short, long));
      expect(contentKey(short)).toBe(contentKey(long));
    }),
  );
});

test('a text without letters and digits has no key', () => {
  expect([contentKey(''), contentKey(' 🌅! '), contentKey('Sun')]).toEqual([null, null, 'sun']);
});
