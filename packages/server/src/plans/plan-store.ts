/** SQL of plan usage and of the number of posts in a history. */
import type { PlanName } from '../config/plan-names.ts';
import type { Queryable } from '../db/database.ts';

/**
 * Reads the user's plan and locks the user's row against other limit checks, but not against rows that refer to it.
 * Lock order: after lanes, targets and rules. Index: primary key.
 */
export async function lockPlan(tx: Queryable, userId: string): Promise<PlanName | undefined> {
  const [row] = await tx.query<{ plan: PlanName }>('select plan from auth."user" where id = $1 for no key update', [
    userId,
  ]);
  return row?.plan;
}

/** Index: primary key. */
export async function readPlan(db: Queryable, userId: string): Promise<PlanName | undefined> {
  const [row] = await db.query<{ plan: PlanName }>('select plan from auth."user" where id = $1', [userId]);
  return row?.plan;
}

/** Posts counted in this calendar month (UTC), and when the next month starts. Index: primary key of `usage`. */
export async function postsThisMonth(db: Queryable, userId: string): Promise<{ used: number; resets_at: Date }> {
  const [row] = await db.query<{ used: number; resets_at: Date }>(
    `select coalesce((
         select posts from usage
         where user_id = $1 and month = date_trunc('month', app_now() at time zone 'UTC')::date
       ), 0) as used,
       (date_trunc('month', app_now() at time zone 'UTC') + interval '1 month') at time zone 'UTC' as resets_at`,
    [userId],
  );
  return row ?? { used: 0, resets_at: new Date(0) };
}

/** Counts one post below the limit; returns false at the limit. Locks the month's row. Index: primary key. */
export async function takePost(tx: Queryable, userId: string, most: number): Promise<boolean> {
  const taken = await tx.execute(
    `insert into usage as u (user_id, month, posts)
     select $1, date_trunc('month', app_now() at time zone 'UTC')::date, 1 where $2 > 0
     on conflict (user_id, month) do update set posts = u.posts + 1 where u.posts < $2`,
    [userId, most],
  );
  return taken > 0;
}

/** Subtracts posts from the month in which they were counted. Index: primary key. */
export async function returnPosts(tx: Queryable, userId: string, countedAt: Date, posts: number): Promise<void> {
  await tx.execute(
    `update usage set posts = greatest(posts - $3, 0)
     where user_id = $1 and month = date_trunc('month', $2::timestamptz at time zone 'UTC')::date`,
    [userId, countedAt, posts],
  );
}

/** Index: `account_listing`. */
export async function countAccounts(tx: Queryable, userId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*) from account where user_id = $1 and status <> 'DISCONNECTED'`,
    [userId],
  );
  return row?.count ?? 0;
}

/** Index: `rule_listing`. */
export async function countRules(tx: Queryable, userId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>('select count(*) from rule where user_id = $1', [userId]);
  return row?.count ?? 0;
}

/** Scheduled posts in the future. Index: `post_history`. */
export async function countScheduledAhead(tx: Queryable, userId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    'select count(*) from post where user_id = $1 and date > app_now() and scheduled',
    [userId],
  );
  return row?.count ?? 0;
}

/** Increments the count shown in the history; locks the user's counter. Index: primary key. */
export async function countInHistory(tx: Queryable, userId: string): Promise<void> {
  await tx.execute(
    `insert into user_counter as c (user_id, posts) values ($1, 1)
     on conflict (user_id) do update set posts = c.posts + 1`,
    [userId],
  );
}

/** Subtracts posts from the count shown in the history. Index: primary key. */
export async function uncountHistory(tx: Queryable, userId: string, posts: number): Promise<void> {
  await tx.execute('update user_counter set posts = greatest(posts - $2, 0) where user_id = $1', [userId, posts]);
}
