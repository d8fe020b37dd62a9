/** SQL of found posts that are not in a rule's activity yet, because they may be ours. */
import type { Queryable } from '../db/database.ts';

/** A found post that waits for the outcome of a send. */
export interface PendingPost {
  id: string;
  seenAt: Date;
  publishedAt: Date;
  caption: string;
  url: string | null;
  durationMs: number | null;
}

/**
 * Found posts on a rule's source that wait because a send with unknown outcome may have made them, newest first. A post
 * that was just found is compared first. Indexes: primary keys, watched_post_due or watched_post_listing,
 * target_due.
 */
export function readPending(db: Queryable, ruleId: string, limit: number): Promise<PendingPost[]> {
  return db.query<PendingPost>(
    `select w.id, w.found_at as "seenAt", w.published_at as "publishedAt", w.text as caption, w.url,
       w.duration_ms as "durationMs"
     from rule r join account a on a.id = r.from_account join watched_post w on w.identity_id = a.identity_id
     where r.id = $1 and w.published_at >= r.created_at and w.state = 'new' and w.due_at is not null
       and (w.attempts > 1 or (w.attempts = 1 and w.lease_until is null))
       and exists (select from target t where t.identity_id = a.identity_id and t.due_at is not null
         and t.state = 'unknown')
     order by w.found_at desc, w.id desc limit $2`,
    [ruleId, limit],
  );
}
