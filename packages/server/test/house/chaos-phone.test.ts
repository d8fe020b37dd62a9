import { describe, expect, test } from 'vitest';
import { type Place, placeKey, planCircuits, reachOf } from '../../../../chaos/circuits.ts';
import { type AuditedVideo, auditPhone, sumPhone } from '../../../../chaos/phone-audit.ts';
import { createRandom } from '../../../../chaos/random.ts';
import { type Duty, dutyOf, type RuleChange } from '../../../../chaos/rule-duty.ts';

const place = (username: string) => ({ platform: 'mastodon', username });
const [a, b, c, d] = [place('a'), place('b'), place('c'), place('d')];
const rule = (from: Place, ...to: Place[]): AuditedVideo['rules'][number] => ({ from, to, duty: 'must' });
const diamond = [rule(a, b, c), rule(b, d), rule(c, d)];
const video = (given: Partial<AuditedVideo> = {}): AuditedVideo => ({
  name: 'video',
  sha256: 'aa',
  posts: [{ ...place('a'), id: '1' }],
  rules: diamond,
  ...given,
});
const shown = (names: string, sha256 = 'aa') => [...names].map((name) => ({ ...place(name), sha256 }));
const verdict = (names: string, failed = '') => {
  const failures = new Map([['video', [...failed].map((name) => ({ ...place(name), code: 'platform_unavailable' }))]]);
  const { lost, doubled, reposted } = auditPhone({ videos: [video()], shown: shown(names), failures });
  return { lost: lost.length, doubled: doubled.length, reposted };
};

describe('the audit of posts from phones', () => {
  test('accepts a file that is everywhere once', () => {
    expect(verdict('abcd')).toEqual({ lost: 0, doubled: 0, reposted: 3 });
  });

  test('finds a destination without the file', () => {
    expect(verdict('abc')).toMatchObject({ lost: 1, doubled: 0 });
    expect(verdict('a')).toMatchObject({ lost: 3, doubled: 0 });
  });

  test('finds a source that lost its own post', () => {
    expect(verdict('bcd')).toMatchObject({ lost: 1, doubled: 0 });
  });

  test('finds a file that an account shows twice', () => {
    expect(verdict('abcdd')).toMatchObject({ lost: 0, doubled: 1 });
    expect(verdict('aabcd')).toMatchObject({ lost: 0, doubled: 1 });
  });

  test('finds a file where no rule led', () => {
    expect(verdict('abcde')).toMatchObject({ lost: 0, doubled: 1 });
  });

  test('accepts a reported failure and what follows it', () => {
    expect(verdict('abc', 'd')).toMatchObject({ lost: 0, doubled: 0 });
    expect(verdict('a', 'bc')).toMatchObject({ lost: 0, doubled: 0 });
    // The other way is open.
    expect(verdict('ac', 'b')).toMatchObject({ lost: 1, doubled: 0 });
  });

  test('allows what changed rules may do, once', () => {
    const counts = (duty: Duty, names: string) => {
      const videos = [video({ rules: [{ ...rule(a, b), duty }] })];
      const { lost, doubled } = auditPhone({ videos, shown: shown(names), failures: new Map() });
      return { lost: lost.length, doubled: doubled.length };
    };
    expect(counts('may', 'a')).toEqual({ lost: 0, doubled: 0 });
    expect(counts('may', 'ab')).toEqual({ lost: 0, doubled: 0 });
    expect(counts('may', 'abb')).toEqual({ lost: 0, doubled: 1 });
    expect(counts('never', 'a')).toEqual({ lost: 0, doubled: 0 });
    expect(counts('never', 'ab')).toEqual({ lost: 0, doubled: 1 });
  });

  test('tells equal captions apart by their files', () => {
    const videos = [video(), video({ name: 'other', sha256: 'bb', rules: [rule(a, b)] })];
    const given = [...shown('abcd'), ...shown('a', 'bb')];
    expect(auditPhone({ videos, shown: given, failures: new Map() }).lost).toEqual(['other is not on mastodon b.']);
  });
});

test('posts from phones are counted with the reasons of rules', () => {
  const found = [
    { ...place('a'), id: '1', state: 'foreign', files: 1, decisions: ['reposted', 'skipped echo'] },
    { ...place('b'), id: '1', state: 'foreign', files: 0, decisions: ['reposted'] },
  ];
  const skipped = new Map([['skipped echo', 1]]);
  expect(sumPhone([video()], found)).toEqual({ posts: 1, found: 1, downloaded: 1, reposted: 1, skipped });
});

describe('the plan of posts from phones', () => {
  const plan = (posts: number) => planCircuits({ posts, users: 3, isChanged: true }, 7, createRandom(7));

  test('is repeated by its seed', () => {
    expect(plan(200)).toEqual(plan(200));
  });

  test.each([0, 5, 11, 200])('has %i posts, except for odd pairs', (posts) => {
    const planned = plan(posts).flatMap(({ videos }) => videos.flatMap(({ on }) => on)).length;
    expect(Math.abs(planned - posts)).toBeLessThanOrEqual(Math.ceil(posts / 100) + 1);
  });

  test('has every shape, and a destination for every file', () => {
    const circuits = plan(60);
    expect(new Set(circuits.map(({ shape }) => shape)).size).toBe(8);
    for (const { videos, rules } of circuits)
      for (const { on } of videos) expect(reachOf(on, rules).length).toBeGreaterThan(0);
  });

  test('has no account in two circuits', () => {
    const keys = plan(200).flatMap(({ rules }) => [
      ...new Set(rules.flatMap(({ from, to }) => [from, ...to].map(placeKey))),
    ]);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('the duty of a changed rule', () => {
  const change = (becomes: RuleChange['becomes'], from: number): RuleChange => ({ becomes, from, to: from + 10 });
  const at = (from: number) => ({ from, to: from + 5 });

  test('depends on what was confirmed before the post', () => {
    const paused = [change('off', 100), change('on', 200)];
    expect([0, 96, 105, 150, 205, 300].map((moment) => dutyOf(paused, at(moment)))).toEqual([
      'must',
      'may',
      'may',
      'never',
      'may',
      'must',
    ]);
  });

  test('ends when the rule is deleted', () => {
    expect([0, 105, 150].map((moment) => dutyOf([change('gone', 100)], at(moment)))).toEqual(['may', 'may', 'never']);
  });
});
