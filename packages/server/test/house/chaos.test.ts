import { describe, expect, test } from 'vitest';
import { type AuditedTarget, audit, type Evidence } from '../../../../chaos/audit.ts';
import { planDisturbances } from '../../../../chaos/disturbances.ts';
import { readOptions } from '../../../../chaos/options.ts';
import { createRandom } from '../../../../chaos/random.ts';

const target = (given: Partial<AuditedTarget> = {}): AuditedTarget => ({
  id: 't1',
  postId: 'p1',
  originId: 'p1',
  accountId: 'a1',
  platform: 'tiktok',
  username: 'nora',
  text: 'First light',
  state: 'posted',
  code: null,
  ...given,
});
const shown = { platform: 'tiktok', username: 'nora', text: 'First light' };
const identities = new Map([
  ['a1', 'i1'],
  ['a2', 'i2'],
  ['a3', 'i2'],
  ['a4', 'i4'],
]);
const verdict = (given: Partial<Evidence>) => {
  const accepted = [{ postId: 'p1', targets: 1 }];
  return audit({ targets: [target()], published: [shown], accepted, rules: [], identities, ...given });
};
const counts = (given: Partial<Evidence>) => {
  const { lost, doubled, stuck } = verdict(given);
  return { lost: lost.length, doubled: doubled.length, stuck: stuck.length };
};

describe('the audit of a chaos run', () => {
  test('accepts a post that is published once', () => {
    expect(verdict({})).toEqual({ lost: [], doubled: [], stuck: [] });
  });

  test('finds a success that no platform shows', () => {
    expect(counts({ published: [] })).toEqual({ lost: 1, doubled: 0, stuck: 0 });
  });

  test('finds a post that a platform shows twice', () => {
    expect(counts({ published: [shown, shown] })).toEqual({ lost: 0, doubled: 1, stuck: 0 });
  });

  test('finds a failure that a platform shows', () => {
    const failed = target({ state: 'failed', code: 'platform_unavailable' });
    expect(counts({ targets: [failed] })).toEqual({ lost: 0, doubled: 1, stuck: 0 });
  });

  test.each([[[]], [[shown]]])('accepts an unknown outcome, published or not', (published) => {
    const unknown = target({ state: 'failed', code: 'outcome_unknown' });
    expect(counts({ targets: [unknown], published })).toEqual({ lost: 0, doubled: 0, stuck: 0 });
  });

  test('counts posts with the same text', () => {
    const targets = [target(), target({ id: 't2', postId: 'p2', originId: 'p2' })];
    expect(counts({ targets })).toMatchObject({ lost: 1 });
    expect(counts({ targets, published: [shown, shown] })).toMatchObject({ lost: 0, doubled: 0 });
  });

  test('finds a target that never ended', () => {
    expect(counts({ targets: [target({ state: 'waiting' })], published: [] })).toEqual({
      lost: 0,
      doubled: 0,
      stuck: 1,
    });
  });

  test('finds an accepted post that vanished', () => {
    expect(counts({ targets: [], published: [] })).toMatchObject({ lost: 1 });
  });

  test('finds a missing repost', () => {
    const rules = [{ from: 'a1', to: ['a2'] }];
    expect(counts({ rules })).toMatchObject({ lost: 1 });
    const repost = target({ id: 't2', postId: 'p2', accountId: 'a2', username: 'ben' });
    const published = [shown, { ...shown, username: 'ben' }];
    expect(counts({ rules, targets: [target(), repost], published })).toEqual({ lost: 0, doubled: 0, stuck: 0 });
    // Two users have connected the same destination.
    const another = { ...repost, accountId: 'a3' };
    expect(counts({ rules, targets: [target(), another], published })).toEqual({ lost: 0, doubled: 0, stuck: 0 });
    expect(counts({ rules, targets: [target(), { ...repost, accountId: 'a4' }], published })).toMatchObject({
      lost: 1,
    });
  });
});

test('a seed repeats the plan of disturbances', () => {
  const options = readOptions(['--kills', '5', '--freezes', '3', '--cuts', '40', '--workers', '3', '--seed', '7'], 1);
  const plan = planDisturbances(options, createRandom(7));
  expect(planDisturbances(options, createRandom(7))).toEqual(plan);
  expect(plan).toHaveLength(48);
  expect(plan.filter(({ kind }) => kind === 'databaseKill')).toHaveLength(2);
});

test.each([
  ['--targets', 'many'],
  ['--workers', '0'],
  ['--unknown', '1'],
])('the chaos run rejects %s %s', (...words) => {
  expect(() => readOptions(words, 1)).toThrow();
});
