import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeBudgets, spend } from '../../src/publishing/budgets.ts';
import { type SessionUser, startService, type TestService } from '../harness/service.ts';
import { makePost, makeRule } from './posts.ts';

let service: TestService;
let user: SessionUser;
let accounts: { id: string; platform: string }[];
beforeAll(async () => {
  service = await startService({ config: { sandbox: true } });
  user = await service.newSession();
  accounts = (await user.post('/accounts/connect-sandbox')).body.data;
});
afterAll(() => service.close());

const read = async (id: string) => (await user.get(`/accounts/${id}`)).body.data;

describe('what disconnecting would end', () => {
  test('counts scheduled posts and rules', async () => {
    const [one, two, three, four] = accounts.map(({ id }) => id) as [string, string, string, string];
    expect((await read(one)).disconnecting).toEqual({ posts: 0, rules: 0, changedRules: 0 });
    await makePost(service.db, user.userId, [one, two]);
    await makePost(service.db, user.userId, [one], { state: 'waiting' });
    await makeRule(service.db, user.userId, one, [two, three]);
    await makeRule(service.db, user.userId, four, [one]);
    await makeRule(service.db, user.userId, three, [one, four]);
    expect((await read(one)).disconnecting).toEqual({ posts: 1, rules: 2, changedRules: 1 });

    expect((await user.call('DELETE', `/accounts/${one}`)).status).toBe(200);
    const rules = await service.db.query<{ from: string }>(
      'select from_account as "from" from rule where user_id = $1',
      [user.userId],
    );
    expect(rules).toEqual([{ from: three }]);
  });
});

describe('the posts left today', () => {
  test('fall with each post, to zero if refused', async () => {
    const connectors = Object.values(service.context.connectors);
    const limited = connectors.find(({ budgets }) =>
      budgets.some(({ countsPosts, scope }) => countsPosts && scope === 'account'),
    );
    const budget = limited?.budgets.find(({ countsPosts }) => countsPosts);
    const account = accounts.findLast(({ platform }) => platform === limited?.id);
    if (!limited || !budget || !account) throw new Error('There is no platform with a daily limit.');
    expect((await read(account.id)).postsLeft).toEqual({ limit: budget.limit, left: budget.limit, freeAt: null });

    const [row] = await service.db.query<{ identityId: string; service: string }>(
      'select identity_id as "identityId", service from account where id = $1',
      [account.id],
    );
    const holder = { accountId: account.id, identityId: '', service: '', userId: user.userId, ...row };
    await spend(service.db, limited, budget.name, holder);
    expect((await read(account.id)).postsLeft).toMatchObject({ left: budget.limit - 1, freeAt: null });

    await closeBudgets(service.db, limited, 'account', 'daily', holder, 60_000);
    expect((await read(account.id)).postsLeft).toEqual({
      limit: budget.limit,
      left: 0,
      freeAt: expect.stringMatching(/Z$/),
    });
  });

  test('are unknown for a platform without a daily limit', async () => {
    // The first account is disconnected above.
    const account = accounts
      .slice(1)
      .find(({ platform }) => !service.context.connectors[platform]?.budgets.some(({ countsPosts }) => countsPosts));
    expect((await read(account?.id ?? '')).postsLeft).toBeNull();
  });
});

test('the page shows when the account was last read', async () => {
  const account = accounts.at(-1)?.id ?? '';
  const checked = async () => Date.parse((await read(account)).checkedAt);
  const before = await checked();
  await service.db.clock.advance(60_000);
  const { body } = await user.post(`/dashboard/accounts/${account}/refresh`);
  expect(body.fresh).toBe(true);
  expect((await checked()) - before).toBeGreaterThanOrEqual(60_000);
});

test('an account whose access has ended has none', async () => {
  const account = accounts.at(-1)?.id ?? '';
  expect((await read(account)).access).toEqual({ endsAt: expect.anything(), renewed: expect.any(Boolean) });
  await service.db.execute(`update account set status = 'EXPIRED' where id = $1`, [account]);
  expect((await read(account)).access).toBeNull();
});
