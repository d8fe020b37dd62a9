import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { disconnect } from '../../src/accounts/connect/disconnect-service.ts';
import { createAccountEvents } from '../../src/accounts/events.ts';
import { connectors } from '../../src/connectors/registry.ts';
import { RULES_OF_ACCOUNTS } from '../../src/reposts/rules-of-accounts.ts';
import { deleteRule, pauseRule } from '../../src/reposts/service.ts';
import { deleteUser } from '../../src/users/service.ts';
import type { AccountRow } from '../harness/rows.ts';
import { createFiringWorld, type FiringWorld } from './firing-world.ts';

let world: FiringWorld;
beforeAll(async () => {
  world = await createFiringWorld();
});
afterAll(async () => {
  expect(world.errors).toEqual([]);
  await world.db.drop();
});

const reached = async (userId: string) =>
  (
    await world.db.query<{ account_id: string; count: number }>(
      'select account_id, count(*) from target where user_id = $1 group by account_id',
      [userId],
    )
  ).map(({ account_id, count }) => ({ account: account_id, count }));

/** Two rules of which the first queued the repost to d. The firing of the second one was skipped. */
async function contested(userId: string) {
  const [b, c, d] = await world.accounts(userId, 3);
  const [first, second] = [await world.rule(userId, b, [d]), await world.rule(userId, c, [d])];
  const post = await world.post(userId, [b, c]);
  for (const target of post.targets) {
    await world.posted(target);
    await world.fire();
  }
  expect(await decided(second)).toEqual(['skipped already_there']);
  return { first, second, b, c, d, post };
}

const decided = async (ruleId: string) =>
  (
    await world.db.query<{ state: string; code: string | null }>(
      `select state, reason->>'code' as code from firing where rule_id = $1`,
      [ruleId],
    )
  ).map(({ state, code }) => [state, code].filter(Boolean).join(' '));

const isAt = async (userId: string, account: AccountRow) =>
  (await reached(userId)).find((each) => each.account === account.id)?.count;

test('deleting a rule leaves its queued repost to others', async () => {
  const userId = await world.newUser();
  const { first, second, d } = await contested(userId);
  await deleteRule(world.db, userId, first);
  expect(await isAt(userId, d)).toBeUndefined();
  await world.fire();
  expect(await isAt(userId, d)).toBe(1);
  expect(await decided(second)).toEqual(['reposted']);
});

test('deleting a rule reopens nothing once its repost began', async () => {
  const userId = await world.newUser();
  const { first, second, d } = await contested(userId);
  await world.db.execute('update target set begun_at = app_now() where user_id = $1 and account_id = $2', [
    userId,
    d.id,
  ]);
  await deleteRule(world.db, userId, first);
  expect(await decided(second)).toEqual(['skipped already_there']);
});

test('a reopened repost waits while its rule is paused', async () => {
  const userId = await world.newUser();
  const { first, second, d } = await contested(userId);
  await pauseRule({ db: world.db, connectors }, userId, second, { isPaused: true });
  await deleteRule(world.db, userId, first);
  await world.fire();
  expect(await decided(second)).toEqual(['waiting rule_paused']);
  await pauseRule({ db: world.db, connectors }, userId, second, { isPaused: false });
  await world.fire();
  expect(await isAt(userId, d)).toBe(1);
});

test('disconnecting a source leaves its queued reposts to others', async () => {
  const userId = await world.newUser();
  const { second, b, d } = await contested(userId);
  const events = createAccountEvents(pino({ enabled: false }));
  await disconnect({ db: world.db, events, rules: RULES_OF_ACCOUNTS }, { userId, accountId: b.id, actor: 'test' });
  await world.fire();
  expect(await isAt(userId, d)).toBe(1);
  expect(await decided(second)).toEqual(['reposted']);
});

test.each(['the rule', 'the user'])('deleting %s reopens firings of other users', async (end) => {
  const [userId, otherId] = [await world.newUser(), await world.newUser()];
  const { first, d, post } = await contested(userId);
  const [source, twin] = await world.accounts(otherId, 2);
  await world.db.execute('update account set identity_id = $2 where id = $1', [twin.id, d.identityId]);
  const rule = await world.rule(otherId, source, [twin]);
  await world.db.execute(
    `insert into firing (rule_id, user_id, origin_id, target_id, due_at) values ($1, $2, $3, $4, app_now())`,
    [rule, otherId, post.id, post.targets[0]],
  );
  await world.fire();
  expect(await decided(rule)).toEqual(['skipped already_there']);
  await (end === 'the rule' ? deleteRule(world.db, userId, first) : deleteUser(world.db, await emailOf(userId)));
  expect(await decided(rule)).toEqual(['waiting']);
});

async function emailOf(userId: string): Promise<string> {
  const [row] = await world.db.query<{ email: string }>('select email from auth."user" where id = $1', [userId]);
  return row?.email ?? '';
}
