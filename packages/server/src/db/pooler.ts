/** Finds out whether a connection pooler gives every transaction another session of the server. */
import type pg from 'pg';
import { asUnavailable, createDatabase, sqlState } from './database.ts';

const REFUSAL =
  'DATABASE_URL leads to a connection pooler that shares sessions between transactions (PgBouncer with pool_mode=transaction, for instance). Reelay needs sessions of its own: name PostgreSQL itself, or a pooler with pool_mode=session.';

const PROTOCOL_VIOLATION = '08P01';

/** Poolers that take turns among their sessions may give the same one twice by chance. */
const ROUNDS = 3;

/**
 * Refuses a pooler in transaction mode: settings, prepared statements and the lock of migrations live in the session.
 * @throws Error with a sentence when there is one; `database_unavailable` when the database is away
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

/** Two connections of ours are two sessions, and stay the same ones, while the other one is in a transaction too. */
async function sharesSessions(a: pg.ClientBase, b: pg.ClientBase): Promise<boolean> {
  const session = async (client: pg.ClientBase) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return rows[0]?.pid;
  };
  const first = await session(a);
  // It takes the session that was used last, if it is free to take.
  try {
    await b.query('begin');
  } catch (error) {
    // In statement mode PgBouncer refuses transactions by this.
    if (sqlState(error) === PROTOCOL_VIOLATION) return true;
    throw error;
  }
  if ((await session(b)) === first) return true;
  const second = await session(a);
  await b.query('rollback');
  return second !== first;
}
