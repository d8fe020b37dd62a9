/** SQL of the graph of repost rules. Its edges lead from a rule's source to its destinations; paused rules count too. */
import type { Queryable } from '../db/database.ts';

/** Accounts that the first search visits on each side. */
const FIRST_LIMIT = 64;
const LIMIT_FACTOR = 8;

/**
 * SQL: accounts reachable from the given ones. `offset 0` and the subquery below keep the planner at index lookups per
 * account: a hash join may read a whole table again for every account. The limit of a reader ends the recursion early.
 * @param name of this query @param neighbors finds those of the account `id`
 */
const reachable = (name: string, start: string, neighbors: string) => `
  ${name} (id) as (select ${start} union
    select neighbor.id from ${name} cross join lateral (${neighbors} offset 0) as neighbor (id))`;

const SEARCH = `with recursive
  ${reachable(
    'after',
    'unnest($2::uuid[])',
    `select d.account_id from rule r
       cross join lateral (select account_id from rule_destination where rule_id = r.id offset 0) d
     where r.from_account = after.id`,
  )},
  ${reachable(
    'before',
    '$1::uuid',
    `select (select from_account from rule where id = d.rule_id) from rule_destination d
     where d.account_id = before.id`,
  )},
  visited_after as materialized (select id from after limit $3),
  visited_before as materialized (select id from before limit $3)
  select exists (select id from visited_after intersect select id from visited_before) as closes,
    least((select count(*) from visited_after), (select count(*) from visited_before)) < $3 as complete`;

/**
 * Returns whether a rule would close a cycle of any length. It searches forward from the destinations and backward from
 * the source, each up to a limit. An account on both sides proves a cycle; a side that ends below the limit without one
 * proves that no cycle exists. The limit grows until one of them holds.
 *
 * So the cost follows the smaller side: a new account has none, and layers of accounts have few. It is highest if a rule
 * joins two large parts, such as two chains of 50,000 accounts: visiting both takes 2.5 times as long as reading all
 * edges of the user.
 * @param firstLimit accounts that the first search visits on each side. Indexes: rule_source, rule_destination_account,
 * primary keys.
 */
export async function wouldCloseCircle(
  tx: Queryable,
  from: string,
  to: readonly string[],
  firstLimit = FIRST_LIMIT,
): Promise<boolean> {
  // The destinations alone must not fill the limit.
  for (let limit = firstLimit + to.length; ; limit *= LIMIT_FACTOR) {
    const [found] = await tx.query<{ closes: boolean; complete: boolean }>(SEARCH, [from, to, limit]);
    if (found?.closes !== false) return true;
    if (found.complete) return false;
  }
}

/** The given destinations that rules of the source already have. Indexes: rule_destination_account, primary key of rule. */
export async function findDoubles(tx: Queryable, from: string, to: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select distinct d.account_id as id from rule_destination d join rule r on r.id = d.rule_id
     where d.account_id = any($2::uuid[]) and r.from_account = $1`,
    [from, to],
  );
  return rows.map(({ id }) => id);
}
