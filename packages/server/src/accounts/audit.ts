import type { Queryable } from '../db/database.ts';

/** Notes who did what to which thing. @param entry.actor who asked: `session`, `command line` */
export async function writeAudit(
  tx: Queryable,
  entry: { userId: string; actor: string; action: string; subject: string },
): Promise<void> {
  await tx.execute('insert into audit (user_id, actor, action, subject) values ($1, $2, $3, $4)', [
    entry.userId,
    entry.actor,
    entry.action,
    entry.subject,
  ]);
}
