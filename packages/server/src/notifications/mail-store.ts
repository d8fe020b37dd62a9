/** SQL of the mails about notifications. Each user has at most one mail that is due. */
import type { Database, Queryable } from '../db/database.ts';
import type { Language } from '../messages/languages.ts';
import { type Claim, type DueRows, dueRows } from '../queue/claim.ts';

/** How long a mail waits for further facts, in ms: the accounts of one post fail within seconds. */
export const GATHER_MS = 60_000;
/** Minimum time between two mails to one user, in ms. */
export const PAUSE_MS = 300_000;
/** A fact older than this, in hours, is no longer mailed. */
export const MAX_AGE_HOURS = 24;

export interface MailRow {
  user_id: string;
}

/** Index: notification_mail_due. */
export const dueMails: DueRows<MailRow> = dueRows<MailRow>('notification_mail', { key: 'user_id', user: null });

const AT_ONCE = 500;
const ms = (value: number) => `${value} * interval '1 millisecond'`;

/**
 * Assigns new facts to their users' next mails. Processes do not wait for each other. Old facts, from a time when the
 * service sent no mail, are dropped. Indexes: notification_new, primary keys.
 */
export async function gatherMails(db: Queryable): Promise<void> {
  await db.execute(
    `with taken as materialized (
       select id from notification where mail = 'new' order by at limit ${AT_ONCE} for update skip locked),
     assigned as (
       update notification n
         set mail = case when n.at < app_now() - ${MAX_AGE_HOURS} * interval '1 hour' then 'dropped' else 'due' end
       from taken where n.id = taken.id returning n.user_id, n.mail)
     insert into notification_mail as m (user_id, due_at)
       select user_id, app_now() + ${ms(GATHER_MS)} from assigned where mail = 'due' group by user_id order by user_id
     on conflict (user_id) do update set
       due_at = coalesce(m.due_at, greatest(excluded.due_at, m.sent_at + ${ms(PAUSE_MS)}))`,
  );
}

export interface Recipient {
  email: string;
  language: Language | null;
  /** IANA time zone. "UTC" until the user chooses one. */
  zone: string;
  suspended: boolean;
}

/** Index: primary key. */
export async function findRecipient(db: Queryable, userId: string): Promise<Recipient | null> {
  const [row] = await db.query<Recipient>('select email, language, zone, suspended from auth."user" where id = $1', [
    userId,
  ]);
  return row ?? null;
}

export interface DueFact {
  id: string;
  kind: string;
  isRead: boolean;
  /** Too old to be mailed. */
  isOld: boolean;
}

/** The facts of a user's next mail. Index: notification_due. */
export function dueFacts(db: Queryable, userId: string): Promise<DueFact[]> {
  return db.query<DueFact>(
    `select id, kind, read_at is not null as "isRead",
       at < app_now() - ${MAX_AGE_HOURS} * interval '1 hour' as "isOld"
     from notification where user_id = $1 and mail = 'due'`,
    [userId],
  );
}

/** What a mail contained, and what it did not need to. */
export interface Handled {
  sent: readonly string[];
  dropped: readonly string[];
}

/**
 * Records a mail, and when the next one is due if facts arrived meanwhile. The row is locked first: a fact that is
 * gathered at the same time is either seen by the second statement, or sets the due time itself.
 * @returns false when another process has the claim; the facts are marked in both cases, because they were mailed
 */
export async function finishMail(
  db: Database,
  { key, fence }: Claim<MailRow>,
  { sent, dropped }: Handled,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.query('select from notification_mail where user_id = $1 for update', [key]);
    await tx.execute(
      `update notification set mail = case when id = any($1::uuid[]) then 'sent' else 'dropped' end
       where id = any($1::uuid[] || $2::uuid[]) and mail = 'due'`,
      [sent, dropped],
    );
    const released = await tx.execute(
      `update notification_mail m set lease_until = null, attempts = 0,
         sent_at = case when $3 then app_now() else m.sent_at end,
         due_at = case when exists (select from notification where user_id = $1 and mail = 'due')
           then greatest(app_now(), case when $3 then app_now() else m.sent_at end + ${ms(PAUSE_MS)}) end
       where user_id = $1 and fence = $2 and lease_until is not null`,
      [key, fence, sent.length > 0],
    );
    return released > 0;
  });
}
