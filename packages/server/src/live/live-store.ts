/** SQL of live updates. */
import type pg from 'pg';
import type { Queryable } from '../db/database.ts';

/** The channel on which triggers announce changes. */
export const CHANNEL = 'reelay_live';

/** How long a registration lasts, in ms. */
export const REGISTERED_MS = 120_000;

/**
 * Announces changes of these users from now on. Index: primary key.
 * @returns those whose registration had ended or was deleted, so that changes may have been missed
 */
export async function register(client: pg.ClientBase, userIds: readonly string[]): Promise<string[]> {
  // Sorted, so that two processes cannot deadlock. A user may have been deleted meanwhile.
  const { rows } = await client.query<{ id: string }>(
    `with valid as materialized (
       select user_id from live_user where user_id = any($1::uuid[]) and until > app_now() order by user_id for update),
     written as (
       insert into live_user as l (user_id, until)
       select id, app_now() + $2 * interval '1 millisecond' from auth."user" where id = any($1::uuid[]) order by id
       on conflict (user_id) do update set until = greatest(l.until, excluded.until) returning user_id)
     select user_id as id from written where user_id not in (select user_id from valid)`,
    [userIds, REGISTERED_MS],
  );
  return rows.map(({ id }) => id);
}

/** @returns a mark for {@link areOlderEnded} */
export async function markTransactions(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ mark: string }>('select pg_snapshot_xmax(pg_current_snapshot())::text as mark');
  return rows[0]?.mark ?? '0';
}

/** Whether all transactions that were in progress at the mark have ended. */
export async function areOlderEnded(client: pg.ClientBase, mark: string): Promise<boolean> {
  const { rows } = await client.query<{ ended: boolean }>(
    'select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as ended',
    [mark],
  );
  return rows[0]?.ended === true;
}

/** Returns the sessions that are still valid. Index: primary key. */
export async function validSessions(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(
    `select s.id from auth.session s join auth."user" u on u.id = s.user_id
     where s.id = any($1::uuid[]) and s.expires_at > now() and not u.suspended`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}
