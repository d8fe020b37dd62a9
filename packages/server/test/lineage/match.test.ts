import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../src/lib/time.ts';
import { type MatchFacts, matchPost, type NamelessPost, type UnprovenTarget } from '../../src/lineage/match.ts';

const NOW = Date.UTC(2026, 10, 21, 10);
const post = { publishedAt: NOW, foundAt: NOW + HOUR, text: 'Sunset run', durationMs: 12_010 };
const facts = (given: Partial<MatchFacts> = {}): MatchFacts => ({
  post,
  known: null,
  unproven: [],
  nameless: [],
  ...given,
});
const target = (given: Partial<UnprovenTarget> = {}): UnprovenTarget => ({
  id: 't',
  outcome: 'gaveUp',
  sentFrom: NOW - MINUTE,
  text: 'Sunset run',
  durationMs: 12_000,
  ...given,
});

test('a post in the ledger is ours', () => {
  const known = { originId: 'o', userId: 'u', isOurs: true, isUnclear: false, text: 'sunset run' };
  expect(matchPost(facts({ known, unproven: [target({ outcome: 'open' })] }))).toEqual({ kind: 'known', ...known });
});

const nameless = (given: Partial<NamelessPost> = {}): NamelessPost => ({
  placementId: 'p',
  originId: 'o',
  text: 'sunset run',
  durationMs: 12_000,
  ...given,
});

test('an unknown post is foreign', () => {
  expect(matchPost(facts())).toEqual({ kind: 'foreign' });
});

describe('a target that is being settled', () => {
  test.each([
    ['has the same text', {}],
    ['has the same text after a title', { text: 'run' }],
    ['may have lost its text', { text: 'Sunset run with friends' }],
    ['has a text, which may be a title of a send without one', { text: '' }],
    ['was published by a clock that is behind', { sentFrom: NOW + 55 * MINUTE }],
    ['has a length that the platform rounds', { durationMs: 12_900 }],
  ])('holds a post that %s', (_, given) => {
    expect(matchPost(facts({ unproven: [target({ outcome: 'open', ...given })] }))).toEqual({ kind: 'wait' });
  });

  test.each([
    ['is older than the send', { sentFrom: NOW + HOUR + MINUTE }],
    ['has another length', { durationMs: 30_000 }],
    ['has another text', { text: 'Something else' }],
    ['was found before any send', { sentFrom: null }],
  ])('does not delay a post that %s', (_, given) => {
    expect(matchPost(facts({ unproven: [target({ outcome: 'open', ...given })] }))).toEqual({ kind: 'foreign' });
  });
});

test('a post found before a send is not its result', () => {
  const unproven = [target({ outcome: 'open', sentFrom: NOW + 10 * MINUTE })];
  const early = { ...post, foundAt: NOW + 8 * MINUTE };
  expect(matchPost(facts({ post: early, unproven }))).toEqual({ kind: 'foreign' });
  expect(matchPost(facts({ post: { ...early, foundAt: NOW + 10 * MINUTE }, unproven }))).toEqual({ kind: 'wait' });
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

  test('comes before a nameless post, the earliest send first', () => {
    const unproven = [target({ id: 'late' }), target({ id: 'early', sentFrom: NOW - HOUR })];
    expect(matchPost(facts({ unproven, nameless: [nameless()] }))).toEqual({ kind: 'proof', targetId: 'early' });
  });

  test('with another text proves nothing', () => {
    expect(matchPost(facts({ unproven: [target({ text: 'Another' })] }))).toEqual({ kind: 'foreign' });
  });

  test('whose post was deleted is unclear without a text', () => {
    const silent = { ...post, text: '' };
    const placed = nameless({ text: '' });
    expect(matchPost(facts({ post: silent, nameless: [placed] }))).toEqual({ kind: 'unclear' });
    expect(matchPost(facts({ post: silent, nameless: [{ ...placed, durationMs: 30_000 }] }))).toEqual({
      kind: 'foreign',
    });
    expect(matchPost(facts({ nameless: [placed] }))).toEqual({ kind: 'foreign' });
  });

  test('without a text is unclear', () => {
    const silent = { ...post, text: '🌅' };
    expect(matchPost(facts({ post: silent, unproven: [target({ text: '' })] }))).toEqual({ kind: 'unclear' });
  });
});

describe('a post of ours without a remote id', () => {
  test('is named by the first equal post', () => {
    const [first, second] = [nameless({ placementId: 'first' }), nameless({ placementId: 'second' })];
    expect(matchPost(facts({ nameless: [first, second] }))).toEqual({ kind: 'named', post: first });
  });

  test.each([
    ['of another length', { durationMs: 14_000 }],
    ['with another text', { text: 'sunset runs' }],
    ['without a text', { text: '' }],
  ])('is not named by a post %s', (_, given) => {
    expect(matchPost(facts({ nameless: [nameless(given)] }))).toEqual({ kind: 'foreign' });
  });
});
