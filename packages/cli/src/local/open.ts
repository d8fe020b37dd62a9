/** The service's own database, for a command: the operator's server, or the embedded one, started when nothing runs. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Config, makeConfig } from '@reelay/server/config/config.ts';
import type { Environment } from '@reelay/server/config/env.ts';
import { loadSecrets, type Secrets } from '@reelay/server/config/secrets.ts';
import { type Cluster, runningCluster, startCluster } from '@reelay/server/db/cluster.ts';
import { createDatabase, type Database, type DatabaseOptions } from '@reelay/server/db/database.ts';
import { migrate, readMigrations } from '@reelay/server/db/migrate.ts';
import { IN_USE } from '@reelay/server/db/old-server.ts';
import { refuseTransactionPooler } from '@reelay/server/db/pooler.ts';

export interface Local {
  config: Config;
  secrets: Secrets;
  db: Database;
  /** `server`: the operator's. `running`: the embedded one of a service. `started`: the embedded one, for this command. */
  database: 'server' | 'running' | 'started';
}

type Opened = Pick<Local, 'db' | 'database'> & { close(): Promise<void> };

const POOL_SIZE = 4;
/** How long a server that is just being started or stopped by somebody else is waited for. */
const PATIENCE_MS = 60_000;
/** Other commands may still be using a server that this one started. */
const OTHERS_WITHIN_MS = 60_000;

/**
 * Runs with the database. @param options.migrated false: it is taken as it is
 * @throws Error with one line when it cannot be had
 */
export async function withLocal<T>(
  env: Environment,
  work: (local: Local) => Promise<T>,
  options: { migrated?: boolean } = {},
): Promise<T> {
  const config = makeConfig(env);
  const secrets = await loadSecrets(env, config.dataDir);
  const { close, ...opened } = await openDatabase(config);
  try {
    if (options.migrated !== false) await migrate(opened.db, await readMigrations());
    return await work({ config, secrets, ...opened });
  } finally {
    await close();
  }
}

async function openDatabase({ databaseUrl, dataDir }: Config): Promise<Opened> {
  if (databaseUrl) {
    const connection = { connectionString: databaseUrl };
    await refuseTransactionPooler(connection);
    const db = poolOn(connection);
    return { db, database: 'server', close: () => db.close() };
  }
  const folder = join(dataDir, 'database');
  const limit = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return (await joinRunning(folder)) ?? (await startOwn(folder));
    } catch (error) {
      if (!isPassing(error) || performance.now() > limit) throw error;
    }
    await pause(200);
  }
}

/** A server that runs and answers nobody begins, or ends, between our two looks. */
function isPassing(error: unknown): boolean {
  const { message, code } = error as { message?: unknown; code?: unknown };
  return message === IN_USE || code === 'database_unavailable';
}

async function joinRunning(folder: string): Promise<Opened | null> {
  const connection = await runningCluster(folder);
  if (!connection) return null;
  const db = poolOn(connection);
  try {
    // A session of ours: a command that started the server waits for it to end.
    await db.query('select 1');
    return { db, database: 'running', close: () => db.close() };
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function startOwn(folder: string): Promise<Opened> {
  const cluster = await startCluster({ folder });
  const db = poolOn(cluster.connection);
  return {
    db,
    database: 'started',
    async close() {
      await db.close();
      await stopAfterOthers(cluster);
    },
  };
}

/** SIGTERM lets sessions of other commands end and takes no new ones (PostgreSQL's "smart" stop). */
async function stopAfterOthers(cluster: Cluster): Promise<void> {
  process.kill(cluster.pid, 'SIGTERM');
  const over = new AbortController();
  await Promise.race([cluster.ended, pause(OTHERS_WITHIN_MS, undefined, { signal: over.signal }).catch(() => {})]);
  over.abort();
  await cluster.stop();
}

function poolOn(connection: DatabaseOptions['connection']): Database {
  return createDatabase({ connection, size: POOL_SIZE });
}
