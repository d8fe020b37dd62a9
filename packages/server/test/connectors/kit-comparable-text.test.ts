import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Connector } from '../../src/connectors/contract.ts';
import { isSameText as isOurPin } from '../../src/connectors/pinterest/verify.ts';
import { connectors } from '../../src/connectors/registry.ts';
import { isSameText as isOurSpotlight } from '../../src/connectors/snapchat/verify.ts';
import { isSameText } from '../../src/publishing/step/prepare.ts';

/** Whether a connector that verifies by text takes a listed post for ours. */
const COMPARISONS: Record<string, (listed: string, ours: string) => boolean> = {
  pinterest: (listed, ours) => isOurPin({ description: listed }, { title: '', description: ours }),
  snapchat: (listed, ours) => isOurSpotlight({ description: listed }, { text: ours }) === true,
};

/** Characters that platforms change, and some that they may not: cases, spaces, forms of one letter, emoji, marks. */
const unit = fc.oneof(
  fc.constantFrom('a', 'A', 'b', 'ß', 'ẞ', 'İ', 'Σ', 'ς', 'ﬁ', 'Å', 'Å', 'A\u030a', '①', '1', 'ℌ', '中', '🏃‍♀️', '#'),
  fc.constantFrom(' ', '\n', '\u00a0', '\u200b', '.', '!', '…', '\u0301', '\u200d', '@', '&amp;'),
);
const text = fc.string({ unit, maxLength: 8 });
/** Pairs that are often equal but for what platforms change. */
const pair = fc.oneof(
  fc.tuple(text, text),
  text.chain((one) =>
    fc.constantFrom(
      [one, one.toUpperCase()] as [string, string],
      [one, ` ${one}\n`] as [string, string],
      [one, one.normalize('NFKC')] as [string, string],
      [one, one.replace(/\s+/g, ' ')] as [string, string],
    ),
  ),
);

describe('rule for posts with the same text', () => {
  test('covers every connector that verifies by text', () => {
    const byText = Object.values<Connector>(connectors).filter(({ matchBy }) => matchBy === 'text');
    expect(byText.map(({ id }) => id).sort()).toEqual(Object.keys(COMPARISONS).sort());
  });

  test.each(Object.entries(COMPARISONS))('is at least as strict as %s', (_id, isOurs) => {
    let confused = 0;
    fc.assert(
      fc.property(pair, ([first, second]) => {
        // The post of one text could be taken for the post of the other.
        if (!isOurs(first, second) && !isOurs(second, first)) return;
        confused++;
        expect(isSameText(first, second)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
    expect(confused).toBeGreaterThan(100);
  });

  test('tells texts apart by their letters and digits', () => {
    expect(isSameText('Sunset run #sea', 'sunset run: SEA 🌊')).toBe(true);
    expect(isSameText('Sunset run #1', 'Sunset run #2')).toBe(false);
  });
});
