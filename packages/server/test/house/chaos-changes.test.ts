import { describe, expect, test } from 'vitest';
import { auditChanges, type ChangedTarget, canceledPosts, sumChanges } from '../../../../chaos/change-audit.ts';
import type { PostPlan } from '../../../../chaos/load.ts';
import { type PostChange, planPostChanges } from '../../../../chaos/post-changes.ts';
import { createRandom } from '../../../../chaos/random.ts';

const change = (given: Partial<PostChange> = {}): PostChange => ({
  kind: 'cancel',
  postId: 'p1',
  text: 'old',
  newText: 'new',
  accounts: { before: ['a', 'b'], after: ['c', 'b'] },
  notBefore: null,
  removed: [],
  status: 200,
  attempts: 1,
  ...given,
});
const target = (given: Partial<ChangedTarget> = {}): ChangedTarget => ({
  postId: 'p1',
  accountId: 'a',
  text: 'old',
  begunAt: null,
  ...given,
});
const shown = (text: string) => ({ platform: 'tiktok', username: 'nora', text });
const problems = (given: Partial<PostChange>, targets: ChangedTarget[], texts: string[]) =>
  auditChanges([change(given)], targets, texts.map(shown)).length;

describe('the audit of changed posts', () => {
  test('finds a canceled post that is published or left', () => {
    expect(problems({}, [], [])).toBe(0);
    expect(problems({}, [], ['old'])).toBe(1);
    expect(problems({}, [target()], [])).toBe(1);
  });

  test('accepts a refused cancel, but not a vanished post', () => {
    expect(problems({ status: 409 }, [target()], ['old'])).toBe(0);
    expect(problems({ status: 409 }, [], [])).toBe(1);
  });

  test('finds an edited post with its old text', () => {
    expect(problems({ kind: 'edit' }, [target({ text: 'new' })], ['new'])).toBe(0);
    expect(problems({ kind: 'edit' }, [target()], [])).toBe(1);
    expect(problems({ kind: 'edit' }, [target({ text: 'new' })], ['old'])).toBe(1);
  });

  test('finds a post with both texts', () => {
    expect(problems({ kind: 'edit', status: 409, attempts: 2 }, [target()], ['old', 'new'])).toBe(1);
  });

  test('finds a refused text that is published', () => {
    expect(problems({ kind: 'edit', status: 409 }, [target()], ['old'])).toBe(0);
    expect(problems({ kind: 'edit', status: 409 }, [target()], ['new'])).toBe(1);
    // An earlier request without a response may have had an effect.
    expect(problems({ kind: 'edit', status: 409, attempts: 2 }, [target({ text: 'new' })], ['new'])).toBe(0);
  });

  test('finds a moved post that began before its new time', () => {
    expect(problems({ kind: 'move', notBefore: 100 }, [target({ begunAt: 100 })], ['old'])).toBe(0);
    expect(problems({ kind: 'move', notBefore: 100 }, [target({ begunAt: 99 })], ['old'])).toBe(1);
  });

  test('finds a post with other accounts than its swap', () => {
    const on = (...accounts: string[]) => accounts.map((accountId) => target({ accountId }));
    expect(problems({ kind: 'swap' }, on('b', 'c'), [])).toBe(0);
    expect(problems({ kind: 'swap' }, on('a', 'b'), [])).toBe(1);
    expect(problems({ kind: 'swap' }, on('a', 'b', 'c'), [])).toBe(1);
    expect(problems({ kind: 'swap', status: 409 }, on('a', 'b'), [])).toBe(0);
    expect(problems({ kind: 'swap', status: 409 }, on('b', 'c'), [])).toBe(1);
    // An earlier request without a response may have had an effect.
    expect(problems({ kind: 'swap', status: 409, attempts: 2 }, on('b', 'c'), [])).toBe(0);
    expect(problems({ kind: 'swap', status: 409, attempts: 2 }, on('a', 'c'), [])).toBe(1);
  });

  test('names the posts whose rows may be missing', () => {
    const changes = [change(), change({ postId: 'p2', status: 409 }), change({ postId: 'p3', kind: 'edit' })];
    expect([...canceledPosts(changes)]).toEqual(['p1']);
    expect(sumChanges(changes)).toEqual(
      new Map([
        ['cancel 200', 1],
        ['cancel 409', 1],
        ['edit 200', 1],
      ]),
    );
  });
});

test('the seed selects changed posts, all with own text', () => {
  const user = { id: 'u', key: 'k', accounts: [] };
  const make = (): PostPlan[] => ['a', 'b', 'b', 'c'].map((text) => ({ user, accountIds: ['1'], text, inMs: null }));
  const plans = make();
  const kinds = planPostChanges(plans, 10, createRandom(7));
  expect([...kinds.keys()].sort()).toEqual([0, 3]);
  expect(planPostChanges(make(), 10, createRandom(7))).toEqual(kinds);
  for (const [index, { kind }] of kinds) expect(plans[index]?.inMs === null).toBe(kind === 'remove');
  expect(plans[1]?.inMs).toBeNull();
});
