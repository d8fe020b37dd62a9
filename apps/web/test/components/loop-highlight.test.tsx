/** Which accounts and arrows of the picture are marked when a drawn arrow would close a loop. */
import { expect, test } from 'vitest';
import { highlightOf } from '../../src/pages/reposts/picture/drawing.ts';
import { type Arrow, pathsThrough, refusalOf } from '../../src/pages/reposts/picture/graph.ts';

const arrow = (from: string, to: string): Arrow => ({ ruleId: `${from}${to}`, from, to });
const ARROWS = [arrow('a', 'b'), arrow('b', 'c'), arrow('c', 'd'), arrow('a', 'x')];

test('a loop is highlighted, and nothing beside it', () => {
  expect(highlightOf(refusalOf(ARROWS, 'c', 'a'), ARROWS)).toEqual({
    accounts: new Set(['a', 'b', 'c']),
    arrows: new Set(['ab b', 'bc c']),
  });
});

test.each([
  ['the same account', 'a', 'a'],
  ['a rule that exists', 'a', 'b'],
  ['a rule that may be added', 'x', 'd'],
])('nothing is highlighted for %s', (_, from, to) => {
  expect(highlightOf(refusalOf(ARROWS, from, to), ARROWS)).toEqual({ accounts: new Set(), arrows: new Set() });
});

test('paths through an account lead to it and from it', () => {
  expect(pathsThrough(ARROWS, 'b')).toEqual({
    accounts: new Set(['b', 'a', 'c', 'd']),
    arrows: new Set(['ab b', 'bc c', 'cd d']),
  });
  expect(pathsThrough(ARROWS, 'x')).toEqual({ accounts: new Set(['x', 'a']), arrows: new Set(['ax x']) });
  expect(pathsThrough(ARROWS, 'alone')).toEqual({ accounts: new Set(['alone']), arrows: new Set() });
});
