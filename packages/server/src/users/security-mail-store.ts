/** SQL of the outbox of mails about security events. */
import type { Queryable } from '../db/database.ts';
import { deleteRows } from '../db/delete-rows.ts';
import type { Language } from '../messages/languages.ts';
import { type MailName, type SecurityMail, USER_DELETED } from '../messages/mail.ts';
import { type DueRows, dueRows } from '../queue/claim.ts';

/** Mails of one kind to one user in an hour. A program may create API keys in a loop. */
const MAX_PER_HOUR = 10;
/** A mail older than this, in hours, is no longer sent. */
export const MAX_AGE_HOURS = 24;

export interface SecurityMailRow {
  /** null: the user was deleted, and the row names the recipient. */
  user_id: string | null;
  email: string | null;
  language: Language | null;
  name: MailName;
  params: Readonly<Record<string, string | number>>;
  at: Date;
}

/** Index: security_mail_due. */
export const dueSecurityMails: DueRows<SecurityMailRow> = dueRows<SecurityMailRow>('security_mail', { user: null });

/**
 * Queues a mail to a user, usually in the transaction of the event. A worker sends it, if mail is configured. Concurrent
 * events may exceed the limit by a few. Index: security_mail_recent.
 */
export async function queueSecurityMail(db: Queryable, userId: string, { name, params }: SecurityMail): Promise<void> {
  await db.execute(
    `insert into security_mail (user_id, name, params) select $1, $2, $3
     where (select count(*) from (
       select from security_mail where user_id = $1 and name = $2 and at > app_now() - interval '1 hour'
       limit ${MAX_PER_HOUR}) recent) < ${MAX_PER_HOUR}`,
    [userId, name, JSON.stringify(params)],
  );
}

/**
 * Queues the mail about a deletion in its transaction, before the user is deleted; none to a suspended user. The row has
 * the address until the mail is sent. Index: primary key of auth.user.
 */
export async function queueDeletionMail(tx: Queryable, userId: string): Promise<void> {
  await tx.execute(
    `insert into security_mail (email, language, name, params)
     select email, language, $2, '{}' from auth."user" where id = $1 and not suspended`,
    [userId, USER_DELETED],
  );
}

/** Whether a mail is too old to be sent. No table. */
export async function isTooOld(db: Queryable, { at }: Pick<SecurityMailRow, 'at'>): Promise<boolean> {
  const [row] = await db.query<{ old: boolean }>(
    `select $1::timestamptz < app_now() - ${MAX_AGE_HOURS} * interval '1 hour' as old`,
    [at],
  );
  return row?.old ?? false;
}

/** Mails that were sent or given up. Index: security_mail_age. */
export function sweepSecurityMails(db: Queryable): Promise<number> {
  return deleteRows(db, 'security_mail', `at < app_now() - interval '2 days'`);
}
