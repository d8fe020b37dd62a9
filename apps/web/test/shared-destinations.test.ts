import { describe, expect, test } from 'vitest';
import { countSources, sharedDestinations } from '../src/pages/reposts/shared-destinations.ts';

const account = (id: string) => ({
  ...{ id, platform: 'mastodon', username: id, displayName: id, status: 'CONNECTED', usernameImage: '' },
});
const rule = (id: string, from: string, ...to: string[]) => ({ id, from: account(from), to: to.map(account) });

const found = (...given: Parameters<typeof sharedDestinations>) =>
  sharedDestinations(...given).map(({ to, sources }) => [to.id, sources.map(({ id }) => id)]);

describe('shared destinations', () => {
  const rules = [rule('1', 'a', 'd', 'e'), rule('2', 'b', 'd'), rule('3', 'c', 'd', 'f')];

  test('name the sources of the other rules', () => {
    expect(found(rules, { id: '1', from: 'a', to: ['e', 'd'] })).toEqual([['d', ['b', 'c']]]);
  });

  test('of a new rule are known before it is added', () => {
    expect(found(rules, { id: null, from: 'b', to: ['e', 'd', 'g'] })).toEqual([
      ['e', ['a']],
      ['d', ['a', 'c']],
    ]);
    expect(found(rules, { id: null, from: null, to: ['f'] })).toEqual([['f', ['c']]]);
  });

  test('name a source with two rules once', () => {
    const twice = [...rules, rule('4', 'b', 'd')];
    expect(found(twice, { id: '1', from: 'a', to: ['d'] })).toEqual([['d', ['b', 'c']]]);
    expect(countSources(twice, 'd')).toBe(3);
  });

  test('do not count other rules of the same source', () => {
    expect(found([...rules, rule('4', 'a', 'f')], { id: '4', from: 'a', to: ['f'] })).toEqual([['f', ['c']]]);
    expect(countSources(rules, 'a')).toBe(0);
  });
});
