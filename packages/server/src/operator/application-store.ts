/** What depends on an operator's application. */
import type { Queryable } from '../db/database.ts';

export interface ApplicationUse {
  /** Connected accounts of all users, without simulated ones. */
  accounts: number;
  /** Scheduled posts to them. */
  posts: number;
}

/**
 * Counts what is connected at these platforms.
 *
 * No index: it reads all accounts, when the operator opens the page of a platform. Index for the posts: target_account.
 */
export async function countUse(db: Queryable, platforms: readonly string[]): Promise<ApplicationUse> {
  const [row] = await db.query<ApplicationUse>(
    `with used as (
       select id from account where platform = any($1) and not sandbox and status = 'CONNECTED')
     select
       (select count(*) from used) as accounts,
       (select count(*) from target where account_id in (select id from used) and due_at is not null
           and state = 'scheduled' and not unproven) as posts`,
    [platforms],
  );
  return row ?? { accounts: 0, posts: 0 };
}
