/** Detects a connection pooler that gives every transaction a different server session. */
import type pg from 'pg';
import { asUnavailable, createDatabase, sqlState } from './database.ts';

const REFUSAL =
  'DATABASE_URL leads to a connection pooler that shares sessions between transactions (PgBouncer with pool_mode=transaction, for instance). Reelay needs sessions of its own: name PostgreSQL itself, or a pooler with pool_mode=session.';

const PROTOCOL_VIOLATION = '08P01';

/** A pooler that rotates its sessions may return the same one twice by chance. */
const ROUNDS = 3;

/**
 * Rejects a pooler in transaction mode: settings, prepared statements and the migration lock belong to the session.
 * @throws Error with a sentence when one is detected; `database_unavailable` when the database is unavailable
 */
export async function refuseTransactionPooler(connection: pg.PoolConfig): Promise<void> {
  const db = createDatabase({ connection, size: 2 });
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const a = await db.connect();
      try {
        const b = await db.connect();
        try {
          if (await sharesSessions(a.client, b.client)) throw new Error(REFUSAL);
        } finally {
          b.release(true);
        }
      } finally {
        a.release();
      }
    }
  } catch (error) {
    throw asUnavailable(error);
  } finally {
    await db.close();
  }
}

/**
 * Returns whether two connections share server sessions. Otherwise they are two sessions that stay the same, even while
 * the other one is in a transaction.
 */
async function sharesSessions(a: pg.ClientBase, b: pg.ClientBase): Promise<boolean> {
  const session = async (client: pg.ClientBase) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return rows[0]?.pid;
  };
  const first = await session(a);
  // A pooler assigns it the session used last, if that is free.
  try {
    await b.query('begin');
  } catch (error) {
    // PgBouncer's error for transactions in statement mode.
    if (sqlState(error) === PROTOCOL_VIOLATION) return true;
    throw error;
  }
  if ((await session(b)) === first) return true;
  const second = await session(a);
  await b.query('rollback');
  return second !== first;
}
