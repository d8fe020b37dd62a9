/** Counts the entries in a user's history. */
import type { Queryable } from '../db/database.ts';

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
