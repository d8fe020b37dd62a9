/** SQL of the operator's list of users. */
import type { PlanName } from '../config/plan-names.ts';
import type { Queryable } from '../db/database.ts';

export interface ListedUserRow {
  id: string;
  email: string;
  name: string;
  plan: PlanName;
  operator: boolean;
  suspended: boolean;
  second_factor: boolean;
  created_at: Date;
  micros: string;
  /** Accurate to one hour; null without a session. */
  last_seen_at: Date | null;
  posts: number;
  accounts: number;
  rules: number;
  scheduled: number;
}

/**
 * A page of users, newest first.
 * @param page.pattern of LIKE, for the email address or the name
 * Indexes: user_listing, user_text; session_by_user, `usage`, account_listing, rule_listing, post_history.
 */
export function readUsers(
  db: Queryable,
  { after, pattern, limit }: { after: { micros: string; id: string } | null; pattern: string | null; limit: number },
): Promise<ListedUserRow[]> {
  const matches = pattern === null ? '' : `and (email || ' ' || name) ilike $4`;
  return db.query<ListedUserRow>(
    `select u.id, u.email, u.name, u.plan, u.operator, u.suspended, u.two_factor_enabled as second_factor, u.created_at,
       (extract(epoch from u.created_at) * 1000000)::bigint::text as micros,
       (select max(s.updated_at) from auth.session s where s.user_id = u.id) as last_seen_at,
       coalesce((select g.posts from usage g where g.user_id = u.id
         and g.month = date_trunc('month', app_now() at time zone 'UTC')::date), 0) as posts,
       (select count(*) from account a where a.user_id = u.id and a.status <> 'DISCONNECTED')::integer as accounts,
       (select count(*) from rule r where r.user_id = u.id)::integer as rules,
       (select count(*) from post p where p.user_id = u.id and p.date > app_now() and p.scheduled)::integer as scheduled
     from (select * from auth."user"
       where (created_at, id) < (coalesce(timestamptz 'epoch' + $1::bigint * interval '1 microsecond', 'infinity'),
         coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')) ${matches}
       order by created_at desc, id desc limit $3) u
     order by u.created_at desc, u.id desc`,
    [after?.micros ?? null, after?.id ?? null, limit, ...(pattern === null ? [] : [pattern])],
  );
}

/** Locks the user's row. Index: primary key. */
export async function lockUser(
  tx: Queryable,
  userId: string,
): Promise<{ plan: PlanName; operator: boolean; suspended: boolean } | undefined> {
  const [row] = await tx.query<{ plan: PlanName; operator: boolean; suspended: boolean }>(
    'select plan, operator, suspended from auth."user" where id = $1 for no key update',
    [userId],
  );
  return row;
}
