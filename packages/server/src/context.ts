/** The composition root: every dependency of the service, by name, made once. */
import type pg from 'pg';
import type { Config } from './config/config.ts';
import type { Secrets } from './config/secrets.ts';
import type { Database } from './db/database.ts';
import type { Lifecycle } from './http/lifecycle.ts';
import { sweep } from './http/limits.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { createSealer, type Sealer } from './seal.ts';
import type { Storage } from './storage/contract.ts';
import { createDiskStorage } from './storage/disk.ts';
import { createSignIn, type SignIn } from './users/sign-in.ts';

export interface Context {
  config: Config;
  secrets: Secrets;
  db: Database;
  log: Log;
  metrics: Metrics;
  lifecycle: Lifecycle;
  storage: Storage;
  sealer: Sealer;
  signIn: SignIn;
}

/** What exists before the context: the server has to answer while the rest is being made. */
export interface Foundation extends Pick<Context, 'config' | 'secrets' | 'db' | 'log' | 'metrics' | 'lifecycle'> {
  /** How the database is reached, for those who need connections of their own. */
  connection: pg.PoolConfig;
}

/** Something that runs beside the requests: a loop, a pool. */
export interface Part {
  name: string;
  start?(): Promise<void> | void;
  /** No new work; what is in hand ends or is left so that it can be taken up again. At most 25 s. */
  drain?(): Promise<void>;
  /** Lets go of everything. Called after `drain`, or alone. */
  stop?(): Promise<void>;
}

/** Makes everything, in the order in which one thing needs another. Parts are started in order and stopped in reverse. */
export async function createContext(foundation: Foundation): Promise<{ context: Context; parts: Part[] }> {
  const { connection, ...rest } = foundation;
  const { config, secrets } = foundation;
  const signIn = createSignIn({ ...rest, connection });
  const context: Context = {
    ...rest,
    storage: await createDiskStorage(config.storageFolder),
    sealer: createSealer(secrets.sealing),
    signIn,
  };
  watchDatabase(context);
  return { context, parts: [{ name: 'sign-in', stop: signIn.close }, limitSweeper(context)] };
}

function watchDatabase({ db, metrics }: Context): void {
  metrics.gauge('database_connections', 'Open connections of the pool.', () => db.pool.totalCount);
  metrics.gauge('database_waiting', 'Statements that wait for a connection.', () => db.pool.waitingCount);
}

const SWEEP_EVERY_MS = 600_000;

/** Limits nobody has touched for a while are only ballast. */
function limitSweeper({ db, log }: Context): Part {
  let timer: NodeJS.Timeout | undefined;
  return {
    name: 'limits',
    start() {
      timer = setInterval(() => {
        sweep(db).catch((err) => log.warn({ err }, 'old limits could not be swept'));
      }, SWEEP_EVERY_MS).unref();
    },
    async stop() {
      clearInterval(timer);
    },
  };
}
