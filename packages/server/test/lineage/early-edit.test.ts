import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isEdited } from '../../src/lineage/early-edit.ts';

const LONG = 'A long walk along the river with the dog and a heavy backpack full of apples. ';

describe('a shown text is no edit', () => {
  test.each([
    ['that is equal', 'Sunset run', 'Sunset run'],
    ['in other letters', 'Sunset run! 🏃', 'SUNSET  RUN'],
    ['without text', 'Sunset run', ''],
    ['of nothing', '🏃', 'Video'],
    ['with a title before it', 'Sunset run', 'My title\n\nSunset run'],
    ['that is cut', LONG + LONG, `${LONG}${LONG.slice(0, 60)}…`],
    ['with a short mention', 'With @kim@sea.example', 'With @kim'],
  ])('%s', (_, sent, shown) => {
    expect(isEdited(sent, shown)).toBe(false);
  });
});

describe('a shown text is an edit', () => {
  test.each([
    ['with other words', 'Sunset run', 'Sunset ride'],
    ['with more words', 'Sunset run', 'Sunset run #dogs'],
    ['with fewer words', 'Sunset run #dogs', 'Sunset run'],
    ['of a mention', 'With @kim@sea.example', 'With @tom@sea.example'],
  ])('%s', (_, sent, shown) => {
    expect(isEdited(sent, shown)).toBe(true);
  });
});

test('an equal text is no edit', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => !isEdited(text, text)));
});
