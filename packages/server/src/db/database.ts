import { createHash } from 'node:crypto';
import pg from 'pg';
import { ReelayError } from '../errors.ts';

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
  /** READ COMMITTED. The work may run again after a deadlock or serialization failure, so it must only touch `tx`. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** A connection of one's own, for session locks and streaming; call `release`. */
  connect(): Promise<{ client: pg.PoolClient; release(broken?: boolean): void }>;
  /** The pool itself, for libraries that want one. */
  pool: pg.Pool;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  connection: pg.PoolConfig;
  /** Most connections at once. */
  size: number;
  /**
   * After this long between two statements of a transaction the server ends it, in ms; 20,000 when absent. A process that
   * freezes in a transaction must not hold its rows for ever.
   */
  idleTransactionMs?: number;
  /** Told of connections that broke while idle. */
  onError?: (error: Error) => void;
  /** Told when the server takes no connection because it was told to stop; those that there are go on working. */
  onStopping?: () => void;
}

/** A pool with prepared statements, transactions and one error for "the database is away". */
export function createDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    max: options.size,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    idle_in_transaction_session_timeout: options.idleTransactionMs ?? 20_000,
    types: { getTypeParser: parserFor },
    ...options.connection,
  });
  // Without listeners a connection that breaks would end the process: while it is idle, or in the hands of whoever took
  // it from the pool, to whom its pending statement tells it.
  pool.on('error', (error) => options.onError?.(error));
  pool.on('connect', (client) => client.on('error', ignore));
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
    return asUnavailable(error);
  };
  const run = async (runner: pg.Pool | pg.PoolClient, text: string, values: readonly unknown[]) => {
    try {
      return await runner.query({ name: nameOf(text), text, values: values as unknown[] });
    } catch (error) {
      throw refused(error);
    }
  };
  const queryable = (runner: pg.Pool | pg.PoolClient): Queryable => ({
    query: async <T extends object>(text: string, values: readonly unknown[] = []) =>
      (await run(runner, text, values)).rows as T[],
    execute: async (text, values = []) => (await run(runner, text, values)).rowCount ?? 0,
  });
  const connect = async () => {
    try {
      const client = await pool.connect();
      return { client, release: (broken?: boolean) => client.release(broken) };
    } catch (error) {
      throw refused(error);
    }
  };
  return {
    ...queryable(pool),
    pool,
    connect,
    transaction: (work) => inTransaction(connect, queryable, work),
    close: () => pool.end(),
  };
}

const ignore = () => {};

async function inTransaction<T>(
  connect: Database['connect'],
  queryable: (client: pg.PoolClient) => Queryable,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const { client, release } = await connect();
    const after: (() => void)[] = [];
    let broken = false;
    try {
      const tx = queryable(client);
      await tx.query('begin');
      const result = await work({ ...tx, afterCommit: (action) => after.push(action) });
      await tx.query('commit');
      for (const action of after) action();
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => {
        broken = true;
      });
      if (attempt < 4 && isConflict(error)) continue;
      throw asUnavailable(error);
    } finally {
      release(broken);
    }
  }
}

/** SQLSTATE of a database error, or "". */
export function sqlState(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

/** Name of the constraint that a statement broke, or "". */
export function brokenConstraint(error: unknown): string {
  const name = (error as { constraint?: unknown } | null)?.constraint;
  return typeof name === 'string' ? name : '';
}

function isConflict(error: unknown): boolean {
  return sqlState(error) === '40P01' || sqlState(error) === '40001';
}

/** Connection trouble becomes `database_unavailable`; everything else stays what it is. */
export function asUnavailable(error: unknown): unknown {
  const state = sqlState(error);
  const message = error instanceof Error ? error.message : '';
  const gone =
    state.startsWith('08') ||
    [
      '57P01',
      '57P02',
      '57P03',
      '25P03',
      '53300',
      'ECONNREFUSED',
      'ECONNRESET',
      'ENOENT',
      'EPIPE',
      'ENOTFOUND',
    ].includes(state) ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after/.test(
      message,
    );
  return gone ? new ReelayError('database_unavailable', undefined, { cause: error }) : error;
}

/** bigint columns hold counts and byte sizes far below 2^53, so they come as numbers; the rest as pg has it. */
function parserFor(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === 20) return (value: string) => Number(value);
  return pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown;
}
