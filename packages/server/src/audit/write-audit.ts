/** The audit trail: who did what, to what, from where. Rows outlive their subjects. */
import type { Queryable } from '../db/database.ts';

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

/**
 * Deletes rows older than a year. Failed sign-ins, which strangers cause, are deleted after 30 days. Index: audit_listing.
 */
export function sweepAudit(db: Queryable): Promise<number> {
  return db.execute(
    `delete from audit where at < app_now() - interval '30 days'
       and (action = 'session.refuse' or at < app_now() - interval '1 year')`,
  );
}
