import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadPlans } from '../../src/config/plans.ts';
import { ReelayError } from '../../src/errors/reelay-error.ts';
import {
  assertAccountsLeft,
  assertPostsLeft,
  assertScheduledLeft,
  countPost,
  giveBack,
} from '../../src/plans/service.ts';
import { insertUser } from '../../src/users/user-store.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { addAccount, addMedia, addPost } from '../harness/rows.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase(12);
});
afterAll(() => db.drop());

const plans = loadPlans(undefined);

async function newUser(plan: 'FREE' | 'STARTER' = 'FREE'): Promise<string> {
  const made = await insertUser(db, { email: `${Math.random()}@example.org`, name: '', plan });
  return made?.id ?? '';
}

/** Returns the limit that the error contains; null without an error. */
async function refusal(work: Promise<unknown>) {
  try {
    await work;
    return null;
  } catch (error) {
    expect(error).toMatchObject({ code: 'plan_limit_reached', status: 403 });
    return (error as ReelayError).extras.limit;
  }
}

const post = (userId: string) => db.transaction((tx) => countPost(tx, plans, userId));

test('default limits match the specification', () => {
  const numbers = Object.values(plans).map((plan) => [
    plan.postsPerMonth,
    plan.connectedAccounts,
    plan.rules,
    plan.scheduledAhead,
  ]);
  expect(numbers).toEqual([
    [30, 3, 1, 10],
    [150, 10, 5, 100],
    [1_000, 30, 25, 1_000],
    [10_000, 150, 100, 10_000],
  ]);
});

test('a free user gets 30 of 40 concurrent posts', async () => {
  const userId = await newUser();
  const refusals = await Promise.all(Array.from({ length: 40 }, () => refusal(post(userId))));
  expect(refusals.filter((each) => each === null)).toHaveLength(30);
  expect(await refusal(assertPostsLeft(db, plans, userId))).toMatchObject({
    name: 'posts_per_month',
    value: 30,
    used: 30,
  });
});

test("the monthly limit resets at the UTC month's end", async () => {
  const userId = await newUser();
  for (let count = 0; count < 30; count++) await post(userId);
  const { resetsAt } = (await refusal(post(userId))) ?? {};
  const reset = new Date(resetsAt ?? '');
  expect(reset.toISOString()).toMatch(/-01T00:00:00\.000Z$/);
  const now = await db.clock.now();
  expect(reset.getTime()).toBeGreaterThan(now.getTime());
  await db.clock.advanceTo(new Date(reset.getTime() - 5_000));
  expect(await refusal(post(userId))).not.toBeNull();
  await db.clock.advanceTo(reset);
  expect(await refusal(post(userId))).toBeNull();
});

test('returned posts can be reused, never below zero', async () => {
  const userId = await newUser();
  for (let count = 0; count < 30; count++) await post(userId);
  const now = await db.clock.now();
  await giveBack(db, userId, now);
  expect(await refusal(post(userId))).toBeNull();
  expect(await refusal(post(userId))).not.toBeNull();
  await giveBack(db, userId, now, 100);
  for (let count = 0; count < 30; count++) await post(userId);
  expect(await refusal(post(userId))).not.toBeNull();
});

test('a rejected post is not counted', async () => {
  const userId = await newUser();
  await expect(
    db.transaction(async (tx) => {
      await countPost(tx, plans, userId);
      throw new ReelayError('internal_error');
    }),
  ).rejects.toThrow();
  expect(await db.query('select from usage where user_id = $1', [userId])).toEqual([]);
});

test('connected and simulated accounts count, disconnected ones do not', async () => {
  const userId = await newUser();
  const left = () => refusal(db.transaction((tx) => assertAccountsLeft(tx, plans, userId)));
  for (const status of ['CONNECTED', 'EXPIRED', 'DISCONNECTED']) await addAccount(db, userId, { status });
  expect(await left()).toBeNull();
  await addAccount(db, userId, { status: 'REVOKED', sandbox: true });
  expect(await left()).toEqual({ name: 'connected_accounts', value: 3, used: 3, resetsAt: null });
});

test('one concurrent connection gets the last place', async () => {
  const userId = await newUser();
  await addAccount(db, userId);
  await addAccount(db, userId);
  const taken = await Promise.all(
    Array.from({ length: 6 }, () =>
      refusal(
        db.transaction(async (tx) => {
          await assertAccountsLeft(tx, plans, userId);
          await addAccount(tx, userId);
        }),
      ),
    ),
  );
  expect(taken.filter((each) => each === null)).toHaveLength(1);
});

test('scheduled posts count until they are due', async () => {
  const userId = await newUser();
  const account = await addAccount(db, userId);
  const media = await addMedia(db, userId);
  const left = () => refusal(db.transaction((tx) => assertScheduledLeft(tx, plans, userId)));
  for (let count = 0; count < 9; count++)
    await addPost(db, { userId, mediaId: media.id, accounts: [account], dueInMs: 3_600_000 });
  await addPost(db, { userId, mediaId: media.id, accounts: [account] });
  expect(await left()).toBeNull();
  await addPost(db, { userId, mediaId: media.id, accounts: [account], dueInMs: 7_200_000 });
  expect(await left()).toEqual({ name: 'scheduled_ahead', value: 10, used: 10, resetsAt: null });
  await db.clock.advance(3_700_000);
  expect(await left()).toBeNull();
});

test('a downgrade removes nothing and adds nothing', async () => {
  const userId = await newUser('STARTER');
  for (let count = 0; count < 5; count++) await addAccount(db, userId);
  await db.execute(`update auth."user" set plan = 'FREE' where id = $1`, [userId]);
  expect(await refusal(db.transaction((tx) => assertAccountsLeft(tx, plans, userId)))).toMatchObject({
    value: 3,
    used: 5,
  });
  expect(await db.query('select from account where user_id = $1', [userId])).toHaveLength(5);
});
