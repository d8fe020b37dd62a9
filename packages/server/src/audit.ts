/** The audit trail: who did what to which thing, from where. Rows outlive what they are about. */
import type { Queryable } from './db/database.ts';

export interface AuditEntry {
  /** Whom it concerns; null for the service itself, and for who is unknown. */
  userId: string | null;
  /** Who asked: `session`, `key`, `command line`, `visitor`. */
  actor: string;
  /** `thing.verb`, such as `key.generate`. */
  action: string;
  /** Names the thing; never an email address or a secret. */
  subject: string;
  /** The client's address, where there is one. */
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

/** Keeps a deleted user's rows without what leads to the person. Index: audit_user. */
export async function anonymizeAudit(tx: Queryable, userId: string): Promise<void> {
  await tx.execute('update audit set user_id = null, address = null where user_id = $1', [userId]);
}

/** Removes what is older than a year; failed sign-ins, which strangers cause, after 30 days. Index: audit_at. */
export function sweepAudit(db: Queryable): Promise<number> {
  return db.execute(
    `delete from audit where at < app_now() - interval '30 days'
       and (action = 'session.refuse' or at < app_now() - interval '1 year')`,
  );
}
