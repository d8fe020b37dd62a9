import { describe, expect, test } from 'vitest';
import { type MatchFacts, matchPost, type UnprovenTarget } from '../../src/lineage/match.ts';
import { HOUR, MINUTE } from '../../src/time.ts';

const NOW = Date.UTC(2026, 10, 21, 10);
const post = { publishedAt: NOW, text: 'Sunset run', durationMs: 12_010 };
const facts = (given: Partial<MatchFacts> = {}): MatchFacts => ({
  post,
  known: null,
  unproven: [],
  placed: [],
  ...given,
});
const target = (given: Partial<UnprovenTarget> = {}): UnprovenTarget => ({
  id: 't',
  outcome: 'gaveUp',
  committedAt: NOW - MINUTE,
  text: 'Sunset run',
  durationMs: 12_000,
  ...given,
});

test('a post in the ledger is ours', () => {
  const known = { originId: 'o', userId: 'u' };
  expect(matchPost(facts({ known, unproven: [target({ outcome: 'open' })] }))).toEqual({ kind: 'own', ...known });
});

test('an unknown post is foreign', () => {
  expect(matchPost(facts())).toEqual({ kind: 'foreign' });
});

describe('a target that is being settled', () => {
  test.each([
    ['has the same text', {}],
    ['has another text', { text: 'Something else' }],
    ['was sent by a clock that is ahead', { committedAt: NOW + 5 * MINUTE }],
    ['has a length that the platform rounds', { durationMs: 12_900 }],
  ])('holds a post that %s', (_, given) => {
    expect(matchPost(facts({ unproven: [target({ outcome: 'open', ...given })] }))).toEqual({ kind: 'wait' });
  });

  test.each([
    ['is older than the send', { committedAt: NOW + HOUR }],
    ['has another length', { durationMs: 30_000 }],
    ['was found before any send', { committedAt: null }],
  ])('does not hold a post that %s', (_, given) => {
    expect(matchPost(facts({ unproven: [target({ outcome: 'open', ...given })] }))).toEqual({ kind: 'foreign' });
  });
});

describe('a target with an unknown outcome', () => {
  test('is proven by a post with its text', () => {
    expect(matchPost(facts({ unproven: [target()] }))).toEqual({ kind: 'proof', targetId: 't' });
  });

  test('is proven by a post whose text the platform changed', () => {
    const shown = { ...post, text: ' SUNSET  run! ' };
    expect(matchPost(facts({ post: shown, unproven: [target()] }))).toEqual({ kind: 'proof', targetId: 't' });
  });

  test('is proven by the beginning of a long text', () => {
    const text =
      'A long caption about running at sunset along the river with many friends, two dogs and a kite in the wind, ';
    const unproven = [target({ text: text.repeat(2) })];
    expect(matchPost(facts({ post: { ...post, text }, unproven }))).toEqual({ kind: 'proof', targetId: 't' });
  });

  test('comes before an echo, and the earliest send first', () => {
    const unproven = [target({ id: 'late' }), target({ id: 'early', committedAt: NOW - HOUR })];
    const placed = [{ originId: 'o', text: 'sunset run', durationMs: 12_000 }];
    expect(matchPost(facts({ unproven, placed }))).toEqual({ kind: 'proof', targetId: 'early' });
  });

  test('with another text proves nothing', () => {
    expect(matchPost(facts({ unproven: [target({ text: 'Another' })] }))).toEqual({ kind: 'foreign' });
  });

  test('whose post was deleted is unclear without a text', () => {
    const silent = { ...post, text: '' };
    const placed = { originId: 'o', text: '', durationMs: 12_000, isProven: false };
    expect(matchPost(facts({ post: silent, placed: [placed] }))).toEqual({ kind: 'unclear' });
    expect(matchPost(facts({ post: silent, placed: [{ ...placed, isProven: true }] }))).toEqual({ kind: 'foreign' });
    expect(matchPost(facts({ post: silent, placed: [{ ...placed, durationMs: 30_000 }] }))).toEqual({
      kind: 'foreign',
    });
    expect(matchPost(facts({ placed: [placed] }))).toEqual({ kind: 'foreign' });
  });

  test('without a text is unclear', () => {
    const silent = { ...post, text: '🌅' };
    expect(matchPost(facts({ post: silent, unproven: [target({ text: '' })] }))).toEqual({ kind: 'unclear' });
  });
});

describe('an echo', () => {
  test('has the text and length of a post on the account', () => {
    const placed = [{ originId: 'o', text: 'sunset run', durationMs: 12_410 }];
    expect(matchPost(facts({ placed }))).toEqual({ kind: 'echo', originId: 'o' });
  });

  test.each([
    ['has another length', { text: 'sunset run', durationMs: 12_610 }],
    ['has another length in whole seconds', { text: 'sunset run', durationMs: 14_000 }],
    ['has another text', { text: 'sunset runs', durationMs: 12_000 }],
  ])('is not a post that %s', (_, placed) => {
    expect(matchPost(facts({ placed: [{ originId: 'o', ...placed }] }))).toEqual({ kind: 'foreign' });
  });

  test('is never recognized by an empty text', () => {
    const silent = { ...post, text: '' };
    const placed = [{ originId: 'o', text: '', durationMs: 12_000 }];
    expect(matchPost(facts({ post: silent, placed }))).toEqual({ kind: 'foreign' });
  });
});
