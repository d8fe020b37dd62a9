import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CaptionLimit } from '../../src/connectors/contract.ts';
import { captionLength, createCaptionCounter } from '../../src/connectors/kit/captions.ts';
import { EMOJI } from '../../src/connectors/kit/emoji.ts';

const counting = (unit: CaptionLimit['unit'], more: Partial<CaptionLimit> = {}): CaptionLimit => ({
  maxLength: 500,
  unit,
  ...more,
});
const UNITS = ['utf16', 'codepoints', 'graphemes'] as const;
const [UTF16, CODEPOINTS, GRAPHEMES] = UNITS.map((unit) => counting(unit)) as [
  CaptionLimit,
  CaptionLimit,
  CaptionLimit,
];
const SHORT_LINKS = counting('graphemes', { urlLength: 23 });
const FREE_DOMAINS = counting('graphemes', { mentionDomainFree: true });
const WEIGHTED = counting('weighted', { urlLength: 23, bareLinks: true });
const ALL = [
  UTF16,
  CODEPOINTS,
  GRAPHEMES,
  SHORT_LINKS,
  FREE_DOMAINS,
  { ...SHORT_LINKS, mentionDomainFree: true },
  counting('weighted'),
  WEIGHTED,
];

/** Any text: whole clusters, stray code units, and characters that are part of links and mentions. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(fc.constantFrom('@', 'nora', '.', 'm.example', 'https://', 'x', ' ', '/', '🏃‍♀️', 'é', '#sea'), {
      maxLength: 20,
    })
    .map((parts) => parts.join('')),
);

describe('caption length', () => {
  test.each([
    ['', 0, 0, 0],
    ['Sunset', 6, 6, 6],
    ['ü', 1, 1, 1],
    ['u\u0308', 2, 2, 1],
    ['🏃', 2, 1, 1],
    ['👨‍👩‍👧', 8, 5, 1],
    ['🇩🇪', 4, 2, 1],
    ['👍🏽', 4, 2, 1],
    ['한', 1, 1, 1],
    ['\r\n', 2, 2, 1],
    ['\ud83c', 1, 1, 1],
  ])('%j has %i UTF-16 units, %i code points, %i graphemes', (text, utf16, codepoints, graphemes) => {
    expect([UTF16, CODEPOINTS, GRAPHEMES].map((limit) => captionLength(text, limit))).toEqual([
      utf16,
      codepoints,
      graphemes,
    ]);
  });

  test('has graphemes ≤ code points ≤ UTF-16 units', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const [utf16 = 0, codepoints = 0, graphemes = 0] = [UTF16, CODEPOINTS, GRAPHEMES].map((limit) =>
          captionLength(text, limit),
        );
        expect(utf16).toBe(text.length);
        expect(codepoints).toBe([...text].length);
        expect(graphemes).toBeLessThanOrEqual(codepoints);
        expect(graphemes > 0).toBe(text !== '');
      }),
    );
  });

  test('is the sum of the lengths of the lines', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ALL), anyText, anyText, (limit, first, second) => {
        fc.pre(!first.endsWith('\r'));
        const together = captionLength(`${first}\n${second}`, limit);
        expect(together).toBe(captionLength(first, limit) + 1 + captionLength(second, limit));
      }),
    );
  });

  // With quadratic run time this test would not end.
  test('is computed in linear time', () => {
    for (const part of ['https://', 'https://a.', '@a@', '@a.', '@', 'a@b.', '.']) {
      const text = part.repeat(20_000);
      for (const limit of ALL) expect(captionLength(text, limit)).toBeLessThanOrEqual(text.length);
    }
  });
});

describe('link in a caption', () => {
  const path = fc.stringMatching(/^[a-z0-9/_-]{0,80}[a-z0-9/]$/);

  test('counts the same regardless of length and position', () => {
    fc.assert(
      fc.property(path, fc.constantFrom('http', 'https', 'HTTPS'), (rest, scheme) => {
        const link = `${scheme}://example.org/${rest}`;
        expect(captionLength(link, SHORT_LINKS)).toBe(23);
        expect(captionLength(`at ${link} now`, SHORT_LINKS)).toBe(3 + 23 + 4);
        expect(captionLength(`${link}\n${link}`, SHORT_LINKS)).toBe(23 + 1 + 23);
      }),
    );
  });

  test('counts in full when the platform has no rule', () => {
    fc.assert(
      fc.property(path, (rest) => {
        const link = `https://example.org/${rest}`;
        for (const limit of [UTF16, CODEPOINTS, GRAPHEMES, FREE_DOMAINS])
          expect(captionLength(link, limit)).toBe(link.length);
      }),
    );
  });

  test.each(['.', ',', '!', '?', ';', ':', ')', ']', '…', '"', '”', '»', '。', '...', '!?)'])(
    'ends before "%s", which counts separately',
    (end) => {
      expect(captionLength(`see https://example.org/a${end}`, SHORT_LINKS)).toBe(4 + 23 + end.length);
    },
  );

  test.each(['example.org', 'ftp://example.org', 'https://', 'https://.', 'nora@example.org'])(
    'is not found in "%s"',
    (text) => {
      expect(captionLength(text, SHORT_LINKS)).toBe(text.length);
    },
  );

  test('may contain a query, a fragment, and any script', () => {
    for (const link of ['https://x.example/a?b=c&d=e#f', 'https://bücher.example/straße', 'http://127.0.0.1:3000/'])
      expect(captionLength(link, SHORT_LINKS)).toBe(23);
  });
});

describe('mention in a caption', () => {
  test.each([
    ['@otto@m.example', '@otto'],
    ['hi @otto@m.example!', 'hi @otto!'],
    ['(@otto@m.example)', '(@otto)'],
    ['@otto@m.example.', '@otto.'],
    ['@otto.x-y_z@sub.m-n.example', '@otto.x-y_z'],
    ['@a@b.example @c@d.example', '@a @c'],
    ['@öre@bücher.example', '@öre'],
    ['@otto', '@otto'],
    ['nora@m.example', 'nora@m.example'],
    ['x@otto@m.example', 'x@otto@m.example'],
    ['https://m.example/@otto@other.example', 'https://m.example/@otto@other.example'],
    ['@@m.example', '@@m.example'],
    ['@otto@', '@otto@'],
  ])('in "%s" counts as "%s"', (text, counted) => {
    expect(captionLength(text, FREE_DOMAINS)).toBe(counted.length);
    expect(captionLength(text, GRAPHEMES)).toBe(text.length);
  });

  test('never counts more than its characters', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(captionLength(text, FREE_DOMAINS)).toBeLessThanOrEqual(captionLength(text, GRAPHEMES));
      }),
    );
  });
});

describe('weighted caption length', () => {
  const weight = (text: string) => captionLength(text, WEIGHTED);

  test.each([
    ['This is a test.', 15],
    ['Läuft – “gut”', 13],
    ['u\u0308', 1],
    ['저찀쿿쿿', 8],
    ['の'.repeat(140), 280],
    ['한'.normalize('NFD'), 2],
    ['हिन्दी', 6],
    ['\u{10000}', 2],
    ['☺', 2],
    ['©', 1],
    ['©️', 2],
    ['1️⃣', 2],
    ['🇩🇪', 2],
    ['👩🏽', 2],
    ['👨‍👩‍👧', 2],
    ['🏃‍♀️🏃‍♀️', 4],
    ['H🐱☺', 5],
    ['€', 2],
    ['\ud83c', 2],
    ['Test https://test.com test https://test.com test.com test', 86],
  ])('of %j is %i', (text, expected) => {
    expect(weight(text)).toBe(expected);
  });

  const light = fc.stringMatching(/^[A-Za-z0-9 äéßŁжšñ؟א¿–’]{0,40}$/);
  const heavy = fc.stringMatching(/^[日本語한국어中文「」€→]{0,40}$/u);
  const emoji = fc.array(fc.constantFrom('🏃', '🏃‍♀️', '👍🏽', '🇫🇷', '❤️', '👨‍👩‍👧‍👦', '#️⃣'), { maxLength: 20 });

  test('counts one or two per character, and two per emoji', () => {
    fc.assert(
      fc.property(light, heavy, emoji, (first, second, third) => {
        const expected = first.normalize('NFC').length + 2 * [...second].length + 2 * third.length;
        expect(weight(`${first}|${second}|${third.join('|')}`)).toBe(expected + 2 + Math.max(0, third.length - 1));
        expect(weight(`${third.join('')}${second}${first}`)).toBe(expected);
      }),
    );
  });

  test('is independent of Unicode composition', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(weight(text.normalize('NFD'))).toBe(weight(text.normalize('NFC')));
      }),
    );
  });

  test('is between graphemes and twice the code points', () => {
    const unlinked = anyText.map((text) => text.replaceAll(/[.:]/g, ' '));
    fc.assert(
      fc.property(unlinked, (text) => {
        const composed = text.normalize('NFC');
        expect(weight(text)).toBeGreaterThanOrEqual(captionLength(composed, GRAPHEMES));
        expect(weight(text)).toBeLessThanOrEqual(2 * captionLength(composed, CODEPOINTS));
      }),
    );
  });

  test.each([
    'example.com',
    'Example.COM',
    'www.example.de',
    'foo.co.jp',
    't.co',
    'twitch.tv',
    'example.de/path/to?search=foo&lang=en',
    'example.com/a_(b)-c',
  ])('treats "%s" as a link', (link) => {
    expect(weight(link)).toBe(23);
    expect(weight(`at ${link}, (${link}) and “${link}”.`)).toBe(3 + 23 + 3 + 23 + 7 + 23 + 2);
  });

  test.each([
    'example.de',
    'readme.md',
    'node.js',
    'v1.2.3',
    'nora@example.com',
    '#example.com',
    '@example.com',
    '$a.com',
    'end.Start',
    '-a.com',
    'a-.com',
    'a..com',
    'ftp://example.com',
    'example.community_',
  ])('finds no link in "%s"', (text) => {
    expect(weight(text)).toBe(text.length);
  });

  test('is computed in linear time', () => {
    for (const part of ['a-', 'a.', 'a.b.', 'a.com/', 'a.c.', '.co', 'https://a.com,b.com/'])
      expect(weight(part.repeat(20_000))).toBeGreaterThan(0);
  });
});

test.each([
  ['x'.repeat(10), 10],
  ['a🌅', 5],
  ['👩‍👩‍👧', 18],
  ['🇩🇪', 8],
  ['é ©', 3],
])('an emoji counts as its bytes: %s', (text, length) => {
  expect(captionLength(text, { maxLength: 500, unit: 'codepoints', emojiBytes: true })).toBe(length);
});

describe('texts of any length', () => {
  const limit = { maxLength: 280, unit: 'weighted' } as const;

  test('are counted once for each kind of limit', () => {
    const count = createCaptionCounter();
    const text = '👍'.repeat(200);
    expect(count(text, limit)).toBe(400);
    // The same limit of another account.
    expect(count(text, { ...limit })).toBe(400);
    expect(count(text, { maxLength: 280, unit: 'codepoints' })).toBe(200);
    expect(count('', limit)).toBe(0);
  });

  test('are counted in characters if no post may have them', () => {
    expect(captionLength('👍'.repeat(6_000), limit)).toBe(12_000);
    expect(captionLength('👍'.repeat(6_001), limit)).toBe(6_001);
  });

  test('have the emoji that the standard names', () => {
    const parts = fc.constantFrom(
      ...['👍', '🏽', '\u200d', '\ufe0f', '❤', '👨', '👩', '🇩', '🇪', '🇽', '🏴', '1', '#', '\u20e3', '♂', '⛹', '©', 'a'],
      ...['\u{e0067}', '\u{e0062}', '\u{e007f}', '🐱', '🫱', '🧑', '💻'],
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (given) => {
        const text = given.join('');
        const found = [...text.matchAll(EMOJI)].map(({ 0: emoji, index }) => [index, emoji]);
        expect(found).toEqual([...text.matchAll(/\p{RGI_Emoji}/gv)].map(({ 0: emoji, index }) => [index, emoji]));
      }),
      { numRuns: 3_000 },
    );
  });
});
