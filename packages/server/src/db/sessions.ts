/** The pool's connections: session settings, statement timeouts and shutdown. */
import pg from 'pg';
import { withTimeout } from '../lib/timeout.ts';
import { destroyConnection, limitStatements } from './statement-limit.ts';

export interface DatabaseOptions {
  connection: pg.PoolConfig;
  /** Maximum number of connections. */
  size: number;
  /** Server-side statement timeout in ms. Default: 10,000. */
  statementMs?: number;
  /** A connection without a response for this long (in ms) is destroyed. Default: `statementMs` + 3,000. */
  responseMs?: number;
  /**
   * The server ends a transaction that is idle this long (in ms). Default: 5,000. A process that freezes in a
   * transaction must release its row locks before leases expire that others cannot renew because of them. It also
   * limits how long an abandoned COMMIT can still take effect: until then its rows stay locked.
   */
  idleTransactionMs?: number;
  /** Further settings of each session. */
  settings?: Readonly<Record<string, string>>;
  /** Called for connections that broke while idle. */
  onError?: (error: Error) => void;
  /** Called when the server rejects a connection because it is shutting down; existing ones still work. */
  onStopping?: () => void;
}

export interface Sessions {
  pool: pg.Pool;
  /** Overrides the statement timeout of an acquired connection, in ms; null: none, undefined: default. */
  limit(client: pg.ClientBase, limitMs: number | null | undefined): void;
  /** Ends all connections. */
  close(): Promise<void>;
}

const STATEMENT_MS = 10_000;
export const RESPONSE_MARGIN_MS = 3_000;
const IDLE_TRANSACTION_MS = 5_000;
const CONNECT_MS = 10_000;
/** A session of PostgreSQL takes 3 to 4 MB. The one that became idle last is used first, so only superfluous ones end. */
const IDLE_CONNECTION_MS = 5_000;
/** Linux probes a silent peer every 75 s after this, and gives up after 9 probes. Our own timeouts are faster. */
const KEEP_ALIVE_MS = 10_000;

/** Creates the pool. Nothing connects yet. */
export function createSessions(options: DatabaseOptions): Sessions {
  const { statementMs = STATEMENT_MS, idleTransactionMs = IDLE_TRANSACTION_MS } = options;
  const responseMs = options.responseMs ?? statementMs + RESPONSE_MARGIN_MS;
  const limits = new WeakMap<pg.ClientBase, number | null>();
  const open = new Set<pg.ClientBase>();
  const idle = new Set<pg.ClientBase>();
  const limitOf = (client: pg.ClientBase) => {
    const own = limits.get(client);
    return own === undefined ? responseMs : own;
  };
  // Idle connections used the same path and are probably broken too. Otherwise each would be detected only by a
  // statement that times out.
  const dropIdle = () => {
    // Destroyed with an error: the pool must know before the timed-out statement rejects, or it hands one of them out.
    for (const client of idle) destroyConnection(client, new Error('Dropped: another connection stopped responding.'));
  };
  const pool = new pg.Pool({
    max: options.size,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: { getTypeParser: parserFor },
    ...options.connection,
    onConnect: (client) => {
      open.add(client);
      client.once('end', () => {
        open.delete(client);
        idle.delete(client);
      });
      // Without a listener, an error on an acquired connection would end the process. Its pending statement reports the
      // error.
      client.on('error', ignore);
      limitStatements(client, { limitMs: () => limitOf(client), onTimeout: dropIdle });
      limits.set(client, CONNECT_MS);
      return setUp(client, {
        statement_timeout: `${statementMs}`,
        idle_in_transaction_session_timeout: `${idleTransactionMs}`,
        ...options.settings,
      }).finally(() => limits.delete(client));
    },
  });
  pool.on('error', (error) => options.onError?.(error));
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('release', (_error, client) => open.has(client) && idle.add(client));
  return {
    pool,
    limit(client, limitMs) {
      if (limitMs === undefined) limits.delete(client);
      else limits.set(client, limitMs);
    },
    async close() {
      // A half-open connection never confirms its end, and an acquired one may never be released.
      await withTimeout(responseMs, pool.end(), () => {
        for (const client of open) destroyConnection(client);
      });
    },
  };
}

const ignore = () => {};

/**
 * Sent as a statement, because poolers reject settings in connection parameters. Committed data must survive a crash of
 * the server, regardless of its configuration. `remote_apply` guarantees more than `on`; the other values guarantee
 * less.
 */
async function setUp(client: pg.ClientBase, settings: Readonly<Record<string, string>>): Promise<void> {
  const entries = Object.entries(settings);
  const calls = entries.map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, false)`);
  await client.query(
    `select set_config('synchronous_commit',
       case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, false),
       ${calls.join(', ')}`,
    entries.flat(),
  );
}

/** bigint columns contain counts and byte sizes far below 2^53, so they become numbers. Other types use pg's parser. */
function parserFor(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === 20) return (value: string) => Number(value);
  return pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown;
}
