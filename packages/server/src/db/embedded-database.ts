/** The service's database: the operator's server, or the embedded one, kept running and locked for this service. */
import { join } from 'node:path';
import pg from 'pg';
import type { Config } from '../config/config.ts';
import type { Log } from '../lib/log.ts';
import { MINUTE } from '../lib/time.ts';
import { type Cluster, type ClusterOptions, runningCluster, startCluster } from './cluster.ts';
import { createDatabase, type Database } from './database.ts';
import { IN_USE } from './old-server.ts';
import { refuseTransactionPooler } from './pooler.ts';

export interface EmbeddedDatabase {
  db: Database;
  connection: pg.PoolConfig;
  close(): Promise<void>;
}

/** Held for the lifetime of the service. Commands that share the embedded server do not take it. */
const SERVICE_LOCK = 7_305_002;
const POOL_SIZE = 10;
const RESTART_PAUSE_MS = 500;
/** How long a command may use an embedded server that it started, in ms. */
const COMMANDS_WITHIN_MS = MINUTE;

export interface OpenOptions {
  log: Log;
  /** Maximum number of connections. Default: 10. */
  size?: number | undefined;
  /** Called when the rest only waits for PostgreSQL: the embedded server was launched, or the operator has one. */
  onLaunched?: () => void;
}

/**
 * Opens the database. An embedded server that ends on its own is restarted.
 * @throws Error with a sentence when the data folder is in use or the embedded server does not start; also for a
 * transaction pooler
 */
export async function startEmbeddedDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  { log, size = POOL_SIZE, onLaunched }: OpenOptions,
): Promise<EmbeddedDatabase> {
  let closing = false;
  const onError = (err: Error) => closing || log.warn({ err }, 'a connection to the database broke');
  if (config.databaseUrl) {
    const connection = { connectionString: config.databaseUrl };
    onLaunched?.();
    await refuseTransactionPooler(connection);
    const db = createDatabase({ connection, size, onError });
    return { db, connection, close: () => db.close() };
  }
  const cluster = await startWhenFree({ folder: join(config.dataDir, 'database'), onLaunched });
  const { connection } = cluster;
  let lock: pg.Client | null = null;
  const close = async () => {
    closing = true;
    await lock?.end().catch(() => {});
    await cluster.stop();
  };
  try {
    lock = await lockService(connection);
  } catch (error) {
    await close();
    throw error;
  }
  const revive = async () => {
    for (;;) {
      await cluster.ended;
      if (closing) return;
      log.error('PostgreSQL exited; restarting it');
      lock = await restart(cluster, log);
      if (!lock) await new Promise((resolve) => setTimeout(resolve, RESTART_PAUSE_MS));
    }
  };
  void revive();
  const onStopping = () => closing || cluster.hurry();
  const db = createDatabase({ connection, size, onError, onStopping });
  return {
    db,
    connection,
    async close() {
      closing = true;
      await db.close();
      await close();
    },
  };
}

/**
 * Starts the embedded server. A running server without a service lock was started by a command and ends soon. One that
 * accepts no connections is shutting down.
 * @throws Error as `startCluster`
 */
async function startWhenFree(options: ClusterOptions): Promise<Cluster> {
  const limit = performance.now() + COMMANDS_WITHIN_MS;
  for (;;) {
    try {
      return await startCluster(options);
    } catch (error) {
      const inUse = error instanceof Error && error.message === IN_USE;
      if (!inUse || performance.now() > limit) throw error;
      const running = await runningCluster(options.folder);
      if (running && (await isHeld(running))) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, RESTART_PAUSE_MS));
  }
}

async function isHeld(connection: Cluster['connection']): Promise<boolean> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  try {
    await client.connect();
    const sql = "select from pg_locks where locktype = 'advisory' and objid = $1 and granted";
    return (await client.query(sql, [SERVICE_LOCK])).rows.length > 0;
  } catch {
    // The server has just ended.
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function restart(cluster: Cluster, log: Log): Promise<pg.Client | null> {
  try {
    await cluster.restart();
    return await lockService(cluster.connection);
  } catch (err) {
    log.error({ err }, 'PostgreSQL could not be restarted');
    return null;
  }
}

/** A session lock ends with its connection, so a service that dies leaves no lock. */
async function lockService(connection: Cluster['connection']): Promise<pg.Client> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_lock($1) as ours', [SERVICE_LOCK]);
  if (rows[0]?.ours) return client;
  await client.end();
  throw new Error(IN_USE);
}
