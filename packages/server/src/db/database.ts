import { createHash } from 'node:crypto';
import type pg from 'pg';
import { asUnavailable, isConflict, sqlState } from './failures.ts';
import { createSessions, type DatabaseOptions, RESPONSE_MARGIN_MS } from './sessions.ts';

export { asUnavailable, brokenConstraint, isAway, sqlState } from './failures.ts';

export type Row = Record<string, unknown>;

/** Runs single statements: the pool, or a transaction. */
export interface Queryable {
  /** Runs one statement with numbered parameters and returns its rows. Statements are prepared once per connection. */
  query<T extends object = Row>(text: string, values?: readonly unknown[]): Promise<T[]>;
  /** Returns the number of rows that a statement wrote. */
  execute(text: string, values?: readonly unknown[]): Promise<number>;
}

export interface Transaction extends Queryable {
  /** Runs after the transaction is durable. */
  afterCommit(action: () => void): void;
}

export interface Database extends Queryable {
  /**
   * Runs a READ COMMITTED transaction. The work is retried after a deadlock or serialization failure, so it must only
   * touch `tx`. If the response to COMMIT is lost, throws `database_unavailable` although the transaction may be
   * durable. A caller that repeats the work must detect what the first attempt wrote: by a unique key, a state, a
   * version or a fencing token.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Takes a dedicated connection for session locks and listening; call `release`. Errors of its statements are the
   * driver's.
   * @param options.limitMs client-side timeout of its statements, in ms; null: none
   */
  connect(options?: { limitMs: number | null }): Promise<OwnConnection>;
  /** The same database with another statement timeout. @param limitMs in ms */
  within(limitMs: number): Database;
  /** The underlying pool, for libraries that need one. Its connections have the same timeouts. */
  pool: pg.Pool;
  /** Waits for running statements, at most until their timeout. */
  close(): Promise<void>;
}

export interface OwnConnection {
  client: pg.PoolClient;
  /** Changes the timeout of the following statements, in ms; null: none, undefined: default. */
  limit(limitMs: number | null | undefined): void;
  release(broken?: boolean): void;
}

const MAX_ATTEMPTS = 4;

/** Creates a pool with prepared statements, transactions, timeouts, and one error for an unavailable database. */
export function createDatabase(options: DatabaseOptions): Database {
  const sessions = createSessions(options);
  const { pool } = sessions;
  const names = new Map<string, string>();
  const nameOf = (text: string) => {
    let name = names.get(text);
    if (!name) {
      name = createHash('sha1').update(text).digest('base64url');
      names.set(text, name);
    }
    return name;
  };
  const refused = (error: unknown): unknown => {
    if (sqlState(error) === '57P03' && /shutting down/.test((error as Error).message)) options.onStopping?.();
    return isConflict(error) ? error : asUnavailable(error);
  };
  const run = async (runner: pg.Pool | pg.PoolClient, text: string, values: readonly unknown[]) => {
    try {
      return await runner.query({ name: nameOf(text), text, values: values as unknown[] });
    } catch (error) {
      throw refused(error);
    }
  };
  const connect: Database['connect'] = async (own) => {
    try {
      const client = await pool.connect();
      if (own) sessions.limit(client, own.limitMs);
      const release = (broken?: boolean) => {
        sessions.limit(client, undefined);
        client.release(broken);
      };
      return { client, limit: (limitMs) => sessions.limit(client, limitMs), release };
    } catch (error) {
      throw refused(error);
    }
  };
  const queryable = (client: pg.PoolClient): Queryable => queryableBy((text, values) => run(client, text, values));
  const usual: Database = {
    // A single statement is its own transaction, so it may be retried after a conflict.
    ...queryableBy((text, values) => repeated(() => run(pool, text, values))),
    pool,
    connect,
    transaction: (work) => repeated(() => inTransaction(connect, queryable, work)),
    within: (limitMs) => withLimit(usual, queryable, limitMs),
    close: sessions.close,
  };
  return usual;
}

function queryableBy(run: (text: string, values: readonly unknown[]) => Promise<pg.QueryResult>): Queryable {
  return {
    query: async <T extends object>(text: string, values: readonly unknown[] = []) =>
      (await run(text, values)).rows as T[],
    execute: async (text, values = []) => (await run(text, values)).rowCount ?? 0,
  };
}

/** Runs every statement in a transaction: on a shared connection, only a transaction can have its own timeout. */
function withLimit(db: Database, queryable: (client: pg.PoolClient) => Queryable, limitMs: number): Database {
  const connect: Database['connect'] = (own) => db.connect(own ?? { limitMs: limitMs + RESPONSE_MARGIN_MS });
  const transaction: Database['transaction'] = (work) =>
    repeated(() => inTransaction(db.connect, queryable, work, limitMs));
  return {
    query: (text, values) => transaction((tx) => tx.query(text, values)),
    execute: (text, values) => transaction((tx) => tx.execute(text, values)),
    transaction,
    connect,
    within: db.within,
    pool: db.pool,
    close: db.close,
  };
}

/**
 * Retries after a conflict. A conflict that persists is reported as `database_unavailable`, because it is temporary.
 */
async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (attempt === MAX_ATTEMPTS) throw asUnavailable(error);
    }
  }
}

/** @param limitMs timeout of the work's statements; those that begin and end the transaction keep the default */
async function inTransaction<T>(
  connect: Database['connect'],
  queryable: (client: pg.PoolClient) => Queryable,
  work: (tx: Transaction) => Promise<T>,
  limitMs?: number,
): Promise<T> {
  const { client, limit, release } = await connect();
  const after: (() => void)[] = [];
  let broken = false;
  try {
    const tx = queryable(client);
    await tx.execute('begin');
    if (limitMs !== undefined) {
      await tx.execute(`set local statement_timeout = ${Math.ceil(limitMs)}`);
      limit(limitMs + RESPONSE_MARGIN_MS);
    }
    const result = await work({ ...tx, afterCommit: (action) => after.push(action) }).finally(() => limit(undefined));
    await tx.execute('commit');
    for (const action of after) action();
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    release(broken);
  }
}
