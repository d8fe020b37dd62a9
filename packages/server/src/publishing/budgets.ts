/**
 * Rate-limit budgets: counts calls in sliding windows, shared by all nodes. Each use is a row, inserted under the
 * budget row's lock before the call and never returned. A platform's own "too many requests" response closes the
 * window.
 */
import type { Budget, Connector } from '../connectors/contract.ts';
import type { Database, Queryable } from '../db/database.ts';
import { deleteRows } from '../db/delete-rows.ts';
import { BudgetEmpty } from '../outbound/platform-error.ts';
import {
  isHalfUsed,
  isReservedForOthers,
  type Others,
  othersForBudget,
  SHARE_PAUSE_MS,
  ShareUsed,
  type Used,
} from './fair-share.ts';

/** The account whose calls are counted. */
export interface BudgetHolder {
  accountId: string;
  identityId: string;
  /** The account's server if its user named one; otherwise "". */
  service: string;
}

/**
 * Key of the budget row: one per identity, or one for the operator's whole application. An account on a server named by
 * its user gets its own row. Rate limits of that server then delay no other account.
 */
export function budgetKey(connector: Connector, budget: Budget, holder: BudgetHolder): string {
  const common = budget.scope === 'app' ? 'app' : holder.identityId;
  return `${connector.id} ${holder.service === '' ? common : holder.accountId} ${budget.name}`;
}

/**
 * SQL query for the time when an exhausted budget has capacity again. No row means capacity is left. A zone's day
 * starts at its latest midnight and lasts 23 or 25 hours twice a year. `$1`: key, `$2`: limit, `$3`: zone, or window in
 * ms.
 * @param at the moment to evaluate, as SQL
 */
const freeAgain = ({ dayIn }: Budget, at: string) =>
  dayIn
    ? `select (local + interval '1 day') at time zone $3
       from (select date_trunc('day', ${at} at time zone $3) as local) day
       where (select count(*) from budget_use where key = $1 and at >= day.local at time zone $3) >= $2`
    : `select at + $3 * interval '1 millisecond' from budget_use
       where key = $1 and at > ${at} - $3 * interval '1 millisecond' order by at desc offset $2 - 1 limit 1`;

/** The account and user that take a use. */
export interface Spender extends BudgetHolder {
  userId: string;
}

/** The part of a limit that regular reading may use. The rest is left to publishing. */
export const READING_SHARE = 0.5;

/**
 * The window in which uses count, and the due times of the targets that compete for it. `$1`: key.
 * @param span parameter with the zone, or the window in ms
 */
const windowOf = ({ dayIn }: Budget, span = '$3') => {
  const midnight = `date_trunc('day', app_now() at time zone ${span})`;
  return dayIn
    ? { from: `${midnight} at time zone ${span}`, to: `(${midnight} + interval '1 day') at time zone ${span}` }
    : { from: `app_now() - ${span} * interval '1 millisecond'`, to: `app_now() + ${span} * interval '1 millisecond'` };
};

/** A budget with what selects its uses: key, limit, and zone or window in ms. */
type Window = readonly [key: string, limit: number, span: string | number];

/** Index: budget_use_window. */
async function readUsed(db: Queryable, budget: Budget, [key, , span]: Window, userId: string): Promise<Used> {
  const [used] = await db.query<Used>(
    `select count(*) as "byAll", count(*) filter (where user_id = $2) as "byUser" from budget_use
     where key = $1 and at > ${windowOf(budget).from}`,
    [key, userId, span],
  );
  return used ?? { byAll: 0, byUser: 0 };
}

/**
 * Other users who compete for a budget: those who watch accounts, or those with open targets on the platform, at one use
 * each. Nothing is reserved for users without. Takes longer the more there are, so call it before the budget is locked:
 * all users wait for that lock. Index: target_account.
 */
async function countOthers(
  db: Queryable,
  connector: Connector,
  budget: Budget,
  [key, limit, span]: Window,
  userId: string,
): Promise<Others | null> {
  if (budget.forReading) {
    const isDay = budget.dayIn !== undefined;
    return othersForBudget(
      db,
      { platform: connector.id, userId, key, limit, span },
      { ...windowOf(budget, '$5'), isDay },
    );
  }
  const [others] = await db.query<Others>(
    `select count(distinct t.user_id) as users, count(*) as needs
     from account a join target t on t.account_id = a.id
     where a.platform = $1 and a.service = '' and not a.sandbox and t.user_id <> $2 and t.due_at < ${windowOf(budget).to}
       and t.state in ('scheduled', 'working', 'waiting')`,
    [connector.id, userId, span],
  );
  return others ?? null;
}

/**
 * Takes one use. Index: budget_use_window.
 * @param share part of the limit that the caller may use up; the rest is left to others
 * @throws BudgetEmpty with the wait in ms until a use is free or until this user may take another
 */
export async function spend(
  db: Database,
  connector: Connector,
  name: string,
  holder: Spender,
  share = 1,
): Promise<void> {
  const whole = connector.budgets.find((each) => each.name === name);
  if (!whole) throw new Error(`The connector has no budget "${name}".`);
  const budget = { ...whole, limit: Math.max(1, Math.floor(whole.limit * share)) };
  const key = budgetKey(connector, budget, holder);
  await db.execute('insert into budget (key) values ($1) on conflict do nothing', [key]);
  const window: Window = [key, budget.limit, budget.dayIn ?? budget.windowMs];
  const isShared = budget.scope === 'app' && holder.service === '';
  const isCounted = isShared && isHalfUsed(await readUsed(db, budget, window, holder.userId), budget.limit);
  const others = isCounted ? await countOthers(db, connector, budget, window, holder.userId) : null;
  const waitMs = await db.transaction(async (tx) => {
    const [row] = await tx.query<{ closedFor: number | null }>(
      `select extract(epoch from closed_until - app_now()) * 1000 as "closedFor" from budget where key = $1 for update`,
      [key],
    );
    if (row?.closedFor && Number(row.closedFor) > 0) return Number(row.closedFor);
    const [use] = await tx.query<{ wait: number | null }>(
      `select extract(epoch from (${freeAgain(budget, 'app_now()')}) - app_now()) * 1000 as wait`,
      window,
    );
    if (use?.wait) return Number(use.wait);
    if (others && isReservedForOthers(budget.limit, await readUsed(tx, budget, window, holder.userId), others))
      throw new ShareUsed(name, SHARE_PAUSE_MS, budget.kind);
    await tx.execute('insert into budget_use (key, user_id) values ($1, $2)', [key, holder.userId]);
    return 0;
  });
  if (waitMs > 0) throw new BudgetEmpty(name, waitMs, budget.kind);
}

/** An exhausted budget. */
export interface EmptyBudget {
  name: string;
  kind: 'rate' | 'daily';
  /** When capacity is available again. */
  until: Date;
}

/**
 * Returns the budgets that will be exhausted for an account at a given time, as far as known now. Takes no use. Index:
 * budget_use_window.
 * @param at ms since the epoch
 */
export async function emptyBudgets(
  db: Queryable,
  connector: Connector,
  holder: BudgetHolder,
  at: number,
): Promise<EmptyBudget[]> {
  const moment = new Date(at);
  const found: EmptyBudget[] = [];
  for (const budget of connector.budgets) {
    const key = budgetKey(connector, budget, holder);
    const [row] = await db.query<{ until: Date | null }>(
      `select greatest(
         (select closed_until from budget where key = $1 and closed_until > $4),
         (${freeAgain(budget, '$4::timestamptz')})) as until`,
      [key, budget.limit, budget.dayIn ?? budget.windowMs, moment],
    );
    if (row?.until && row.until.getTime() > at) found.push({ name: budget.name, kind: budget.kind, until: row.until });
  }
  return found;
}

/** How many posts the platform accepts today. */
export interface PostsLeft {
  limit: number;
  left: number;
  /** When more posts are possible; null while some are left. */
  freeAt: Date | null;
}

/**
 * Returns the smallest rest of the daily budgets that count posts; null if the platform has none. Takes no use. Index:
 * budget_use_window.
 */
export async function postsLeft(db: Queryable, connector: Connector, holder: BudgetHolder): Promise<PostsLeft | null> {
  let fewest: PostsLeft | null = null;
  for (const budget of connector.budgets.filter(({ countsPosts }) => countsPosts)) {
    const window = [budgetKey(connector, budget, holder), budget.limit, budget.dayIn ?? budget.windowMs];
    const [row] = await db.query<{ used: number; freeAt: Date | null }>(
      `select (select count(*) from budget_use where key = $1 and at > ${windowOf(budget).from}) as used,
         greatest(
           (select closed_until from budget where key = $1 and closed_until > app_now()),
           (${freeAgain(budget, 'app_now()')})) as "freeAt"`,
      window,
    );
    const freeAt = row?.freeAt ?? null;
    const left = freeAt ? 0 : Math.max(budget.limit - (row?.used ?? 0), 0);
    if (!fewest || left < fewest.left) fewest = { limit: budget.limit, left, freeAt };
  }
  return fewest;
}

/**
 * Closes budgets after a platform's "too many requests" response. No call of this account (or of the application)
 * starts before the wait is over.
 */
export async function closeBudgets(
  db: Database,
  connector: Connector,
  scope: 'account' | 'app',
  kind: 'rate' | 'daily',
  holder: BudgetHolder,
  waitMs: number,
): Promise<void> {
  const keys = connector.budgets
    .filter((budget) => budget.scope === scope && budget.kind === kind)
    .map((budget) => budgetKey(connector, budget, holder));
  if (keys.length === 0) return;
  await db.execute(
    `insert into budget (key, closed_until)
     select key, app_now() + $2 * interval '1 millisecond' from unnest($1::text[]) as key order by key
     on conflict (key) do update set closed_until = greatest(budget.closed_until, excluded.closed_until)`,
    [keys, waitMs],
  );
}

/** Deletes uses that are older than every window. */
export async function sweepBudgets(db: Database, olderThanMs: number): Promise<void> {
  await deleteRows(db, 'budget_use', `at < app_now() - $1 * interval '1 millisecond'`, [olderThanMs]);
}
