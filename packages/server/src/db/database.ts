import { createHash } from 'node:crypto';
import type pg from 'pg';
import { asUnavailable, isConflict, sqlState } from './failures.ts';
import { createSessions, RESPONSE_MARGIN_MS } from './sessions.ts';

export { asUnavailable, brokenConstraint, sqlState } from './failures.ts';

export type Row = Record<string, unknown>;

/** Anything that runs one statement: the pool, or a transaction. */
export interface Queryable {
  /** Runs one statement with numbered parameters and gives its rows. Statements are prepared once per connection. */
  query<T extends object = Row>(text: string, values?: readonly unknown[]): Promise<T[]>;
  /** The number of rows that a statement wrote. */
  execute(text: string, values?: readonly unknown[]): Promise<number>;
}

export interface Transaction extends Queryable {
  /** Runs after the transaction is durable. */
  afterCommit(action: () => void): void;
}

export interface Database extends Queryable {
  /**
   * READ COMMITTED. The work may run again after a deadlock or serialization failure, so it must only touch `tx`.
   * When the response to COMMIT is lost, it throws `database_unavailable` although the transaction may be durable: a
   * caller that repeats the work must find what the first attempt wrote (a unique key, a state, a version, a fence).
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * A connection of one's own, for session locks and streaming; call `release`. Errors of its statements are the
   * driver's. @param options.limitMs limit of its statements on our side, in ms; null: none
   */
  connect(options?: { limitMs: number | null }): Promise<OwnConnection>;
  /** The same database for statements that take longer, or must end sooner, than usual. @param limitMs in ms */
  within(limitMs: number): Database;
  /** The pool itself, for libraries that want one. Its connections have the same limits. */
  pool: pg.Pool;
  /** Waits for the statements under way, but not longer than their limit. */
  close(): Promise<void>;
}

export interface OwnConnection {
  client: pg.PoolClient;
  /** Changes the limit of the statements that follow, in ms; null: none. */
  limit(limitMs: number | null): void;
  release(broken?: boolean): void;
}

export interface DatabaseOptions {
  connection: pg.PoolConfig;
  /** Most connections at once. */
  size: number;
  /** The server cancels a statement after this long, in ms; 10,000 when absent. */
  statementMs?: number;
  /** A connection on which no response came for this long is destroyed, in ms; 3,000 more than `statementMs` when absent. */
  responseMs?: number;
  /**
   * After this long between two statements of a transaction the server ends it, in ms; 5,000 when absent. A process that
   * freezes in a transaction must let go of its rows before the leases end that others cannot renew meanwhile. It also
   * bounds how long a COMMIT that was given up can still take effect: until then its rows stay locked.
   */
  idleTransactionMs?: number;
  /** Further settings of each session. */
  settings?: Readonly<Record<string, string>>;
  /** Told of connections that broke while idle. */
  onError?: (error: Error) => void;
  /** Told when the server takes no connection because it was told to stop; those that there are go on working. */
  onStopping?: () => void;
}

const MAX_ATTEMPTS = 4;

/** A pool with prepared statements, transactions, time limits and one error for "the database is away". */
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
    // A statement of its own is a transaction: what a conflict rolled back may run again.
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

/** Everything runs in a transaction, because only that can have a limit of its own on a connection that is shared. */
function withLimit(db: Database, queryable: (client: pg.PoolClient) => Queryable, limitMs: number): Database {
  const connect: Database['connect'] = (own) => db.connect(own ?? { limitMs: limitMs + RESPONSE_MARGIN_MS });
  const setting = `set local statement_timeout = ${Math.ceil(limitMs)}`;
  const transaction: Database['transaction'] = (work) =>
    repeated(() => inTransaction(connect, queryable, work, setting));
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

/** Runs again after a conflict. One that does not end in a few attempts is like a database that is away: it passes. */
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

async function inTransaction<T>(
  connect: Database['connect'],
  queryable: (client: pg.PoolClient) => Queryable,
  work: (tx: Transaction) => Promise<T>,
  setting = '',
): Promise<T> {
  const { client, release } = await connect();
  const after: (() => void)[] = [];
  let broken = false;
  try {
    const tx = queryable(client);
    await tx.execute('begin');
    if (setting) await tx.execute(setting);
    const result = await work({ ...tx, afterCommit: (action) => after.push(action) });
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
