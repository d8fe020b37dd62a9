import { readLittleText } from '@reelay/sandbox/platforms/linkedin/little-text.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { captionLength } from '../../src/connectors/kit/captions.ts';
import { connector } from '../../src/connectors/linkedin/index.ts';
import { escapeText, MAX_ESCAPED, plainText } from '../../src/connectors/linkedin/limits.ts';

/** Texts with many reserved characters and with strings that look like markup. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.constantFrom(...'\\|{}@[]()<>#*_~', '&', ' ', '\n'),
      fc.constantFrom(
        '#sea',
        '#1',
        '#2nd',
        '{hashtag|\\#|sea}',
        '@[Acme](urn:li:organization:1)',
        '\\(',
        '\\\\',
        'ü',
        '🏃',
      ),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

describe('LinkedIn little text', () => {
  test.each([
    ['Sunset run (part 2) #sea', 'Sunset run \\(part 2\\) #sea'],
    ['#über #2nd #1 #', '#über #2nd \\#1 \\#'],
    ['C# and a#b and ##c and _#d', 'C\\# and a\\#b and \\#\\#c and \\_\\#d'],
    ['&#39; (#sea)', '&\\#39; \\(#sea\\)'],
    ['by @nora', 'by \\@nora'],
    ['a\\b', 'a\\\\b'],
    ['', ''],
  ])('escapes %j as %j', (text, sent) => {
    expect(escapeText(text)).toBe(sent);
  });

  test('shows readers the original text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(readLittleText(escapeText(text))).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is recognized when LinkedIn returns it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(plainText(escapeText(text))).toBe(text);
      }),
      { numRuns: 2_000 },
    );
    expect(plainText('by @[Acme](urn:li:organization:1) {hashtag|\\#|sea}')).toBe('by Acme #sea');
  });

  test('is never too long after escaping if it was accepted', () => {
    const { caption } = connector.capabilities;
    const longText = fc.array(anyText, { minLength: 1, maxLength: 60 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(longText, (text) => {
        fc.pre(captionLength(text, caption) <= caption.maxLength);
        expect(escapeText(text).length).toBeLessThanOrEqual(MAX_ESCAPED);
      }),
    );
    for (const text of ['('.repeat(1_500), 'a'.repeat(3_000)]) {
      expect(captionLength(text, caption)).toBe(caption.maxLength);
      expect(escapeText(text).length).toBe(MAX_ESCAPED);
    }
  });
});
