/** Filters of repost rules, and comparison without case. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldCase } from '../../../src/reposts/options/case-folding.ts';
import { filterProblem } from '../../../src/reposts/options/filters.ts';
import { completeOptions, type GivenOptions } from '../../../src/reposts/options/rule-options.ts';

type Given = NonNullable<GivenOptions['filters']>;

const problem = (given: Given, caption: string, durationMs: number | null = 10_000) =>
  filterProblem(completeOptions({ filters: given }).filters, { caption, durationMs });
const passes = (...sent: Parameters<typeof problem>) => problem(...sent) === null;

describe('filters', () => {
  test('without conditions pass everything', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.option(fc.nat()), (caption, ms) => passes({}, caption, ms)),
    );
  });

  test.each<[Given, string, number | null, string]>([
    [{ contains: ['sea', 'sun'] }, 'Rain', 1, 'Skipped: the caption contains none of “sea”, “sun”.'],
    [{ excludes: ['ad'] }, 'Bad', 1, 'Skipped: the caption contains “ad”.'],
    [{ hashtags: ['sea', '#sun'] }, 'sea #seaside', 1, 'Skipped: the caption has none of the hashtags #sea, #sun.'],
    [{ minSeconds: 5 }, '', 4_999, 'Skipped: the video is 4.999 s long. The rule requires at least 5 s.'],
    [{ maxSeconds: 60 }, '', 60_001, 'Skipped: the video is 60.001 s long. The rule allows at most 60 s.'],
  ])('%j skip %j with the reason', (given, caption, durationMs, text) => {
    expect(problem(given, caption, durationMs)?.text).toBe(text);
  });

  test.each<[Given, string, number | null]>([
    [{ contains: ['sea', 'sun'] }, 'SUNSET', 1],
    [{ contains: ['été'] }, 'ÉTE\u0301', 1],
    [{ contains: ['海'] }, '夏の海です', 1],
    [{ excludes: ['ad'] }, 'Sea', 1],
    [{ excludes: ['cafe'] }, 'Café CAFE\u0301', 1],
    [{ excludes: [], contains: [], hashtags: [] }, '', 1],
    [{ hashtags: ['#Sea'] }, 'Look #SEA!', 1],
    [{ hashtags: ['＃Straße'] }, '#STRASSE', 1],
    [{ minSeconds: 5 }, '', 5_000],
    [{ maxSeconds: 60 }, '', 60_000],
    [{ minSeconds: 5, maxSeconds: 60 }, '', null],
    [{ minSeconds: 0 }, '', 0],
  ])('%j pass %j', (given, caption, durationMs) => {
    expect(problem(given, caption, durationMs)).toBeNull();
  });

  test('name the excluded word first', () => {
    expect(problem({ contains: ['x'], excludes: ['ad'], hashtags: ['y'], minSeconds: 99 }, 'ad')?.code).toBe(
      'filtered_word',
    );
  });

  test('do not depend on case or normalization', () => {
    // The dotless i is the only character whose upper case belongs to another letter.
    const word = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 10 })
      .filter((text) => text.trim() !== '' && !text.includes('ı'));
    const form = fc.constantFrom(
      (text: string) => text,
      (text: string) => text.toUpperCase(),
      (text: string) => text.toLowerCase(),
      (text: string) => text.normalize('NFD'),
      (text: string) => text.normalize('NFC'),
    );
    fc.assert(
      // A space, so that the word does not merge with its neighbors.
      fc.property(word, form, form, (text, one, two) => {
        expect(passes({ contains: [one(text)] }, `a ${two(text)} z`)).toBe(true);
        expect(passes({ excludes: [one(text)] }, `a ${two(text)} z`)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});

describe('case folding', () => {
  test.each([
    ['Straße', 'STRASSE'],
    ['STRAẞE', 'strasse'],
    ['ΟΔΟΣ', 'οδος'],
    ['οδοσ', 'οδος'],
    ['ﬁn', 'FIN'],
    ['ſea', 'SEA'],
    ['ᾳ', 'ΑΙ'],
    ['É', 'e\u0301'],
    ['Ǆ', 'ǆ'],
    ['ꭰ', 'Ꭰ'],
  ])('%s equals %s', (one, two) => {
    expect(foldCase(one)).toBe(foldCase(two));
  });

  test.each([
    ['ı', 'i'],
    ['é', 'e'],
    ['ö', 'oe'],
  ])('%s differs from %s', (one, two) => {
    expect(foldCase(one)).not.toBe(foldCase(two));
  });

  test('agrees with regular expressions on every character', () => {
    const odd: string[] = [];
    for (let point = 0; point <= 0x1ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const text = String.fromCodePoint(point);
      const others = [text.toLowerCase(), text.toUpperCase()].filter((each) => each !== text && [...each].length === 1);
      for (const other of others)
        if (new RegExp(`^${RegExp.escape(text)}$`, 'iu').test(other) !== (foldCase(text) === foldCase(other)))
          odd.push(`${text} ${other}`);
      if (foldCase(foldCase(text)) !== foldCase(text)) odd.push(text);
    }
    expect(odd).toEqual([]);
  });
});
