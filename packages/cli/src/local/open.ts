/**
 * Opens the service's database for a command: the operator's server, or the embedded one, which is started if needed.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Config, makeConfig } from '@reelay/server/config/config.ts';
import type { Environment } from '@reelay/server/config/env.ts';
import { loadSecrets, type Secrets } from '@reelay/server/config/secrets.ts';
import { runningCluster, startCluster } from '@reelay/server/db/cluster.ts';
import { asUnavailable, createDatabase, type Database } from '@reelay/server/db/database.ts';
import { migrate, readMigrations } from '@reelay/server/db/migrate.ts';
import { IN_USE } from '@reelay/server/db/old-server.ts';
import { refuseTransactionPooler } from '@reelay/server/db/pooler.ts';
import type { DatabaseOptions } from '@reelay/server/db/sessions.ts';
import { shareServer, waitForSharers } from '@reelay/server/db/shared-server.ts';
import { accessRefusal } from '@reelay/server/lib/folder-access.ts';

export interface Local {
  config: Config;
  secrets: Secrets;
  db: Database;
  /**
   * `server`: the operator's server. `running`: the service's embedded database. `started`: started by this command.
   */
  database: 'server' | 'running' | 'started';
}

type Opened = Pick<Local, 'db' | 'database'> & { close(): Promise<void> };

const POOL_SIZE = 4;
/** How long to wait for a server that another process is starting or stopping, in ms. */
const PATIENCE_MS = 60_000;
/** How long other commands may keep using a server that this command started, in ms. */
const OTHERS_WITHIN_MS = 60_000;

/**
 * Runs work with the database.
 * @param options.migrated if false, the schema is neither checked nor migrated
 * @throws Error with a one-line message if the database is not available
 */
export async function withLocal<T>(
  env: Environment,
  work: (local: Local) => Promise<T>,
  options: { migrated?: boolean } = {},
): Promise<T> {
  const config = makeConfig(env);
  const { secrets, close, ...opened } = await prepare(env, config).catch((error: Error) => {
    const refusal = accessRefusal(error);
    throw refusal === null ? error : new Error(refusal, { cause: error });
  });
  try {
    if (options.migrated !== false) await migrate(opened.db, readMigrations());
    return await work({ config, secrets, ...opened });
  } finally {
    await close();
  }
}

async function prepare(env: Environment, config: Config): Promise<Opened & Pick<Local, 'secrets'>> {
  const secrets = await loadSecrets(env, config.dataDir);
  return { secrets, ...(await openDatabase(config)) };
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

/** Whether to retry: a server that was running but did not respond was starting or stopping between our two probes. */
function isPassing(error: unknown): boolean {
  const { message, code } = error as { message?: unknown; code?: unknown };
  return message === IN_USE || code === 'database_unavailable';
}

async function joinRunning(folder: string): Promise<Opened | null> {
  const connection = await runningCluster(folder);
  if (!connection) return null;
  const sharing = await shareServer(connection).catch((error) => {
    throw asUnavailable(error);
  });
  if (sharing === null) throw new Error(IN_USE);
  const db = poolOn(connection);
  return {
    db,
    database: 'running',
    async close() {
      await db.close();
      await sharing.end().catch(() => {});
    },
  };
}

async function startOwn(folder: string): Promise<Opened> {
  const cluster = await startCluster({ folder });
  const db = poolOn(cluster.connection);
  return {
    db,
    database: 'started',
    async close() {
      await db.close();
      await waitForSharers(cluster.connection, OTHERS_WITHIN_MS);
      await cluster.stop();
    },
  };
}

function poolOn(connection: DatabaseOptions['connection']): Database {
  return createDatabase({ connection, size: POOL_SIZE });
}
