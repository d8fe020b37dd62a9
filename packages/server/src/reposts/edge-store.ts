/** SQL of the graph of repost rules. Its edges lead from a rule's source to its destinations; paused rules count too. */
import type { Queryable } from '../db/database.ts';
import { leadsTo } from './edge-search.ts';

/** Accounts that the search visits on each side. Visiting more takes as long as reading all edges of the user. */
const LIMIT = 64;

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

/** All edges of a user, 32 bytes each: the ids of a source and of a destination. */
const EDGES = `select string_agg(uuid_send(r.from_account) || uuid_send(d.account_id), ''::bytea) as edges
  from rule r join rule_destination d on d.rule_id = r.id where r.user_id = $1`;

/**
 * Returns whether a rule would close a cycle of any length. It searches forward from the destinations and backward from
 * the source, each up to a limit. An account on both sides proves a cycle; a side that ends below the limit without one
 * proves that no cycle exists. So the cost follows the smaller side: a new account has none, and layers of accounts have
 * few. Where both sides are large, such as two long chains, it reads all edges of the user, at most 5,000.
 * @param limit accounts that the search visits on each side. Indexes: rule_source, rule_destination_account, rule_listing,
 * primary keys.
 */
export async function wouldCloseCircle(
  tx: Queryable,
  userId: string,
  { from, to }: { from: string; to: readonly string[] },
  limit = LIMIT,
): Promise<boolean> {
  // The destinations alone must not fill the limit.
  const [found] = await tx.query<{ closes: boolean; complete: boolean }>(SEARCH, [from, to, limit + to.length]);
  if (found?.closes !== false) return true;
  if (found.complete) return false;
  const [read] = await tx.query<{ edges: Buffer | null }>(EDGES, [userId]);
  return leadsTo(read?.edges ?? Buffer.alloc(0), to, from);
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
