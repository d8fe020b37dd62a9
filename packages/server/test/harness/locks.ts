/** Waits for locks of one database. The server has databases of other tests, whose sessions wait at the same time. */
import type { Queryable } from '../../src/db/database.ts';

/**
 * Counts the sessions of this database that wait for a lock.
 * @param statement how their statements begin; default: any
 */
export async function waitingSessions(db: Queryable, statement = ''): Promise<number> {
  const rows = await db.query(
    `select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and starts_with(query, $1)`,
    [statement],
  );
  return rows.length;
}
