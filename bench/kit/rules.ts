/** Bulk inserts of accounts that are never called, and of rules between accounts. */
import type { Queryable } from '../../packages/server/src/db/database.ts';
import { uuidv7 } from '../../packages/server/src/lib/ids.ts';
import type { Account } from './rows.ts';

/** Inserts connected accounts of a user. Posts made elsewhere can be listed on them, without a file. */
export async function addAccounts(db: Queryable, userId: string, count: number): Promise<Account[]> {
  const rows = await db.query<{ id: string }>(
    `with made as (
       insert into identity (platform, service, remote_id)
         select 'tiktok', '', gen_random_uuid()::text from generate_series(1, $2) returning id)
     insert into account (user_id, identity_id, platform, username, display_name, status, sandbox, capabilities)
     select $1, id, 'tiktok', id, id, 'CONNECTED', true, '{"watch": "announce"}' from made
     returning id, identity_id as "identityId"`,
    [userId, count],
  );
  return rows.map((row) => ({ ...(row as Account), userId }));
}

export interface Rule {
  from: Account;
  to: readonly Account[];
}

/** Inserts active rules. @returns their ids */
export async function addRules(db: Queryable, rules: readonly Rule[]): Promise<string[]> {
  const ids = rules.map(() => uuidv7());
  await db.execute(
    `with made as (
       insert into rule (id, user_id, from_account) select * from unnest($1::uuid[], $2::uuid[], $3::uuid[]) returning id)
     insert into rule_interval (rule_id, active_from) select id, app_now() from made`,
    [ids, rules.map(({ from }) => from.userId), rules.map(({ from }) => from.id)],
  );
  const edges = rules.flatMap(({ to }, rule) => to.map(({ id }, place) => ({ rule: ids[rule], id, place })));
  await db.execute(
    `insert into rule_destination (rule_id, account_id, position)
     select * from unnest($1::uuid[], $2::uuid[], $3::smallint[])`,
    [edges.map(({ rule }) => rule), edges.map(({ id }) => id), edges.map(({ place }) => place)],
  );
  return ids;
}

/** Numbers below `count`, the same in every run. */
export function drawer(seed = 1): (count: number) => number {
  let state = seed;
  return (count) => {
    // A linear congruential generator: Numerical Recipes, constants for 32 bits.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}
