/** SQL of users and their sessions. */
import type { PlanName } from '../config/plans.ts';
import type { Queryable } from '../db/database.ts';

/** Whether a session still counts, locked so that signing out waits for the transaction. Index: primary keys. */
export async function isSessionActive(tx: Queryable, sessionId: string): Promise<boolean> {
  const rows = await tx.query(
    `select from auth.session s join auth."user" u on u.id = s.user_id
     where s.id = $1 and s.expires_at > app_now() and not u.suspended for share of s`,
    [sessionId],
  );
  return rows.length > 0;
}

export interface NewUser {
  email: string;
  name: string;
  plan: PlanName;
}

/** @returns the id; null when the address is taken. Index: `user_email_key`. */
export async function insertUser(db: Queryable, user: NewUser): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    `insert into auth."user" (name, email, plan) values ($1, $2, $3) on conflict (email) do nothing returning id`,
    [user.name, user.email, user.plan],
  );
  return row?.id ?? null;
}
