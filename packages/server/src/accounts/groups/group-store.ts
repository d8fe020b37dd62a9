/**
 * SQL of account groups: accounts that a user selects together. A name is unique among the groups of a user. Groups of a
 * user are changed one after another, so that they do not pass the limit together.
 */
import type { Database, Queryable } from '../../db/database.ts';
import { ReelayError } from '../../errors/reelay-error.ts';
import { lockPlan } from '../../plans/plan-store.ts';

export interface AccountGroup {
  id: string;
  name: string;
  /** Ids of accounts. */
  accounts: string[];
}

/** Groups of one user. */
export const MAX_GROUPS = 50;

/** SQL: a group `g` without accounts that were disconnected. Index: primary key of account. */
const SHOWN = `g.id, g.name, array(select a.id from unnest(g.accounts) with ordinality as m (id, place)
  join account a on a.id = m.id where a.user_id = g.user_id and a.status <> 'DISCONNECTED' order by m.place) as accounts`;

/** Oldest first. Index: unique key of account_group. */
export function listGroups(db: Queryable, userId: string): Promise<AccountGroup[]> {
  return db.query<AccountGroup>(`select ${SHOWN} from account_group g where g.user_id = $1 order by g.id`, [userId]);
}

/**
 * Adds a group, or replaces the accounts of the one of this name. Indexes: primary key of account, unique key of account_group.
 * @throws ReelayError `unknown_platform` if an account is not of the user, `too_many_groups`
 */
export function saveGroup(db: Database, userId: string, { name, accounts }: Omit<AccountGroup, 'id'>) {
  return db.transaction(async (tx): Promise<AccountGroup> => {
    await lockPlan(tx, userId);
    const ids = [...new Set(accounts)];
    const own = await tx.query('select from account where id = any($1::uuid[]) and user_id = $2', [ids, userId]);
    if (own.length < ids.length) throw new ReelayError('unknown_platform');
    const [saved] = await tx.query<AccountGroup>(
      `insert into account_group as g (user_id, name, accounts)
         select $1, $2, $3 where (select count(*) from account_group where user_id = $1 and name <> $2) < ${MAX_GROUPS}
       on conflict (user_id, name) do update set accounts = excluded.accounts returning ${SHOWN}`,
      [userId, name, ids],
    );
    if (!saved) throw new ReelayError('too_many_groups');
    return saved;
  });
}

/**
 * Renames a group. Another group of the new name is deleted.
 * @returns undefined if the user has no such group
 */
export function renameGroup(db: Database, userId: string, { id, name }: Omit<AccountGroup, 'accounts'>) {
  return db.transaction(async (tx): Promise<AccountGroup | undefined> => {
    await lockPlan(tx, userId);
    const found = await tx.query('select from account_group where id = $1 and user_id = $2', [id, userId]);
    if (found.length === 0) return undefined;
    await tx.execute('delete from account_group where user_id = $1 and name = $2 and id <> $3', [userId, name, id]);
    const [renamed] = await tx.query<AccountGroup>(
      `update account_group g set name = $2 where id = $1 returning ${SHOWN}`,
      [id, name],
    );
    return renamed;
  });
}

/** @returns false if the user has no such group. Index: primary key. */
export async function deleteGroup(db: Queryable, userId: string, id: string): Promise<boolean> {
  return (await db.execute('delete from account_group where id = $1 and user_id = $2', [id, userId])) > 0;
}
