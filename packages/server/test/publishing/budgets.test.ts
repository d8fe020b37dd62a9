import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Budget, Connector } from '../../src/connectors/contract.ts';
import { BudgetEmpty } from '../../src/connectors/kit/failure.ts';
import { connector as platform } from '../../src/connectors/youtube/index.ts';
import { type BudgetHolder, closeBudgets, spend } from '../../src/publishing/budgets.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

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
const SOMEBODY: BudgetHolder = { accountId: 'account', identityId: 'identity', service: '' };
const waitFor = (connector: Connector, holder = SOMEBODY): Promise<number> =>
  spend(db, connector, 'uploads', holder).then(
    () => 0,
    (error) => {
      if (error instanceof BudgetEmpty) return error.waitMs;
      throw error;
    },
  );
/** A day and an hour ahead of now, so that the clock can be brought there. */
const nextAt = async (time: string, zone: string): Promise<Date> => {
  const [row] = await db.query<{ at: Date }>(
    `select (date_trunc('day', app_now() at time zone $2) + interval '1 day' + $1::interval) at time zone $2 as at`,
    [time, zone],
  );
  return row?.at ?? new Date();
};

test('a platform’s day that ends at midnight somewhere begins anew there, not a day after each use', async () => {
  const connector = withBudget({ dayIn: 'America/Los_Angeles' });
  await db.clock.advanceTo(await nextAt('22:00', 'America/Los_Angeles'));
  expect([await waitFor(connector), await waitFor(connector)]).toEqual([0, 0]);
  const wait = await waitFor(connector);
  expect(wait).toBeGreaterThan(1.9 * HOUR);
  expect(wait).toBeLessThanOrEqual(2 * HOUR);
  await db.clock.advance(wait + 1_000);
  expect([await waitFor(connector), await waitFor(connector)]).toEqual([0, 0]);
  // Two more within the same 24 hours as the first two: used up until the next midnight, nearly a day away.
  expect(await waitFor(connector)).toBeGreaterThan(22 * HOUR);
});

test('any other window moves with its uses', async () => {
  const connector = withBudget({});
  expect([await waitFor(connector), await waitFor(connector)]).toEqual([0, 0]);
  await db.clock.advance(23 * HOUR);
  const wait = await waitFor(connector);
  expect(wait).toBeGreaterThan(0.9 * HOUR);
  expect(wait).toBeLessThanOrEqual(HOUR);
});

test.each(['app', 'account'] as const)('a user’s own server closes %s budgets for itself only', async (scope) => {
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
