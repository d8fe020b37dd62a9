/** SQL statements on the sessions of one user. */
import type { Queryable } from '../db/database.ts';

export interface SessionRow {
  id: string;
  created_at: Date;
  /** Accurate to one hour. */
  updated_at: Date;
  expires_at: Date;
  ip_address: string | null;
  user_agent: string | null;
}

/** Last used first. Index: `session_by_user`. */
export function listSessions(db: Queryable, userId: string): Promise<SessionRow[]> {
  return db.query<SessionRow>(
    `select id, created_at, updated_at, expires_at, ip_address, user_agent from auth.session
     where user_id = $1 and expires_at > now() order by updated_at desc, id desc`,
    [userId],
  );
}

/** Returns false if the user has no such session. Index: primary key. */
export async function endSession(db: Queryable, userId: string, sessionId: string): Promise<boolean> {
  return (await db.execute('delete from auth.session where id = $1 and user_id = $2', [sessionId, userId])) > 0;
}

/** @param keptToken as in the session's row. Index: `session_by_user`. */
export async function endSessionsExcept(db: Queryable, userId: string, keptToken: string): Promise<void> {
  await db.execute('delete from auth.session where user_id = $1 and token <> $2', [userId, keptToken]);
}

/** Returns the number of sessions that ended. Index: `session_by_user`. */
export function endOtherSessions(db: Queryable, userId: string, keptId: string): Promise<number> {
  return db.execute('delete from auth.session where user_id = $1 and id <> $2 and expires_at > now()', [
    userId,
    keptId,
  ]);
}
