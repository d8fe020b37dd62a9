/** The composition root: every dependency of the service, by name, made once. */
import type { Config } from './config/config.ts';
import type { Secrets } from './config/secrets.ts';
import type { Database } from './db/database.ts';
import type { Lifecycle } from './http/lifecycle.ts';
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
export type Foundation = Pick<Context, 'config' | 'secrets' | 'db' | 'log' | 'metrics' | 'lifecycle'>;

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
  const { config, secrets } = foundation;
  const storage = await createDiskStorage(config.storageFolder);
  const signIn = createSignIn();
  const context: Context = {
    ...foundation,
    storage,
    sealer: createSealer(secrets.sealing),
    signIn,
  };
  return { context, parts: [] };
}
