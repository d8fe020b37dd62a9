/** The audit trail: who did what, to what, from where. Rows outlive their subjects. */
import type { Queryable } from '../db/database.ts';
import { deleteRows } from '../db/delete-rows.ts';

export interface AuditEntry {
  /** The affected user; null for the service itself and for unknown users. */
  userId: string | null;
  /** Who made the request: `session`, `key`, `command line`, `visitor`. */
  actor: string;
  /** `thing.verb`, such as `key.generate`. */
  action: string;
  /** Identifies the subject; never an email address or a secret. */
  subject: string;
  /** The client's address, if known. */
  address?: string;
}

/** Appends one row. */
export async function writeAudit(tx: Queryable, entry: AuditEntry): Promise<void> {
  await tx.execute('insert into audit (user_id, actor, action, subject, address) values ($1, $2, $3, $4, $5)', [
    entry.userId,
    entry.actor,
    entry.action,
    entry.subject,
    entry.address ?? null,
  ]);
}

/** Keeps a deleted user's rows without data that identifies the person. Index: audit_user. */
export async function anonymizeAudit(tx: Queryable, userId: string): Promise<void> {
  await tx.execute('update audit set user_id = null, address = null where user_id = $1', [userId]);
}

/** Rows of a user that are kept for each action, the newest. */
export const MAX_ROWS_OF_ACTION = 2_000;

/**
 * Deletes rows older than a year, and the oldest of users with very many. Failed sign-ins, which strangers cause, are
 * deleted after 30 days. Each action has a limit of its own, so that many rows of one action, such as failed sign-ins,
 * displace no other. Indexes: audit_listing, audit_user.
 */
export async function sweepAudit(db: Queryable): Promise<number> {
  const old = `at < app_now() - interval '30 days' and (action = 'session.refuse' or at < app_now() - interval '1 year')`;
  const many = `id in (select id from (
      select a.id, row_number() over (partition by a.user_id, a.action order by a.at desc, a.id desc) as place
      from audit a where a.user_id in (select user_id from audit where user_id is not null
        group by user_id having count(*) > ${MAX_ROWS_OF_ACTION})) ranked
    where place > ${MAX_ROWS_OF_ACTION})`;
  return (await deleteRows(db, 'audit', old)) + (await deleteRows(db, 'audit', many));
}
