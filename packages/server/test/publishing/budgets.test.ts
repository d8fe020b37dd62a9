import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Budget, Connector } from '../../src/connectors/contract.ts';
import { connector as platform } from '../../src/connectors/youtube/index.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { BudgetEmpty } from '../../src/outbound/platform-error.ts';
import { closeBudgets, type Spender, spend } from '../../src/publishing/budgets.ts';
import { ShareUsed } from '../../src/publishing/fair-share.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { waitingSessions } from '../harness/locks.ts';
import { addAccount, addMedia, addPost } from '../harness/rows.ts';

const HOUR = 3_600_000;
let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
beforeEach(() => db.execute('truncate budget cascade'));

const withBudget = (budget: Partial<Budget>): Connector => ({
  ...platform,
  budgets: [{ name: 'uploads', scope: 'app', limit: 2, windowMs: 24 * HOUR, kind: 'daily', ...budget }],
});
const SOMEBODY: Spender = { accountId: 'account', identityId: 'identity', service: '', userId: uuidv7() };
const waitFor = (connector: Connector, holder = SOMEBODY): Promise<number> =>
  spend(db, connector, 'uploads', holder).then(
    () => 0,
    (error) => {
      if (error instanceof BudgetEmpty) return error.waitMs;
      throw error;
    },
  );
/** Tomorrow at this time, so that the clock can be set to it. */
const nextAt = async (time: string, zone: string): Promise<Date> => {
  const [row] = await db.query<{ at: Date }>(
    `select (date_trunc('day', app_now() at time zone $2) + interval '1 day' + $1::interval) at time zone $2 as at`,
    [time, zone],
  );
  return row?.at ?? new Date();
};

test('a daily budget resets at midnight in the platform’s zone', async () => {
  const connector = withBudget({ dayIn: 'America/Los_Angeles' });
  await db.clock.advanceTo(await nextAt('22:00', 'America/Los_Angeles'));
  expect([await waitFor(connector), await waitFor(connector)]).toEqual([0, 0]);
  const wait = await waitFor(connector);
  expect(wait).toBeGreaterThan(1.9 * HOUR);
  expect(wait).toBeLessThanOrEqual(2 * HOUR);
  await db.clock.advance(wait + 1_000);
  expect([await waitFor(connector), await waitFor(connector)]).toEqual([0, 0]);
  // Two uses in the same 24 hours, but in a new day: exhausted until the next midnight, nearly a day away.
  expect(await waitFor(connector)).toBeGreaterThan(22 * HOUR);
});

test('other windows slide with their uses', async () => {
  const connector = withBudget({});
  expect([await waitFor(connector), await waitFor(connector)]).toEqual([0, 0]);
  await db.clock.advance(23 * HOUR);
  const wait = await waitFor(connector);
  expect(wait).toBeGreaterThan(0.9 * HOUR);
  expect(wait).toBeLessThanOrEqual(HOUR);
});

test.each(['app', 'account'] as const)('a user’s own server closes its own %s budgets only', async (scope) => {
  const connector = withBudget({ scope });
  const tenant = { ...SOMEBODY, accountId: 'tenant', service: 'https://tenant.example' };
  await closeBudgets(db, connector, scope, 'daily', tenant, HOUR);
  expect(await waitFor(connector, tenant)).toBeGreaterThan(0);
  expect(await waitFor(connector)).toBe(0);
  expect(await waitFor(connector, { ...tenant, accountId: 'neighbor' })).toBe(0);
});

test('accounts of one identity share a budget', async () => {
  const connector = withBudget({ scope: 'account' });
  await closeBudgets(db, connector, 'account', 'daily', SOMEBODY, HOUR);
  expect(await waitFor(connector, { ...SOMEBODY, accountId: 'another' })).toBeGreaterThan(0);
});

describe('an application-wide budget', () => {
  const limit = 8;
  const connector = withBudget({ limit });
  const [hog, other] = [uuidv7(), uuidv7()];
  const take = (userId: string) =>
    spend(db, connector, 'uploads', { ...SOMEBODY, userId }).then(
      () => 'taken',
      (error) => {
        if (error instanceof ShareUsed) return 'share used';
        if (error instanceof BudgetEmpty) return 'empty';
        throw error;
      },
    );
  const times = async (count: number, userId: string) => {
    const results: string[] = [];
    for (let n = 0; n < count; n++) results.push(await take(userId));
    return results;
  };
  /** A due post of a user on this many accounts of the platform. */
  async function open(userId: string, posts: number) {
    const accounts = [];
    for (let n = 0; n < posts; n++)
      accounts.push(await addAccount(db, userId, { platform: connector.id, sandbox: false }));
    const media = await addMedia(db, userId);
    return addPost(db, { userId, mediaId: media.id, accounts });
  }
  beforeEach(async () => {
    await db.execute('truncate auth."user", identity, post, media cascade');
    for (const id of [hog, other])
      await db.execute(`insert into auth."user" (id, name, email) values ($1, 'Nora', $2)`, [id, `${id}@example.org`]);
  });

  test('goes entirely to one user without competition', async () => {
    await open(hog, 1);
    expect(new Set(await times(limit, hog))).toEqual(new Set(['taken']));
    expect(await take(hog)).toBe('empty');
  });

  test('reserves what the open posts of others need', async () => {
    await open(other, 3);
    expect(await times(6, hog)).toEqual(['taken', 'taken', 'taken', 'taken', 'taken', 'share used']);
    expect(await times(3, other)).toEqual(['taken', 'taken', 'taken']);
    expect(await take(hog)).toBe('empty');
  });

  test('leaves every user an equal share', async () => {
    await open(other, 40);
    await open(hog, 40);
    expect(await times(5, hog)).toEqual(['taken', 'taken', 'taken', 'taken', 'share used']);
    expect(await times(5, other)).toEqual(['taken', 'taken', 'taken', 'taken', 'empty']);
  });

  test('is not locked while open posts are counted', async () => {
    await open(other, 1);
    expect(await times(limit / 2, hog)).toEqual(Array(limit / 2).fill('taken'));
    const { client, release } = await db.another(1).connect();
    await client.query('begin');
    await client.query('lock table account in access exclusive mode');
    const taken = take(hog);
    await expect.poll(() => waitingSessions(db)).toBe(1);
    expect(await db.query('select from budget for update nowait')).toHaveLength(1);
    await client.query('commit');
    release();
    expect(await taken).toBe('taken');
  });
});
