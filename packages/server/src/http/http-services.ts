import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import type { createOwnerFinder } from '../keys/service.ts';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Speech } from '../messages/languages.ts';
import type { PartStatus } from '../queue/status.ts';
import type { Storage } from '../storage/contract.ts';
import type { SignIn } from '../users/sign-in/sign-in-service.ts';
import type { Lifecycle } from './lifecycle.ts';

/** What the HTTP layer itself uses of the services that it passes on to handlers. */
export interface HttpServices extends Speech {
  config: Config;
  db: Database;
  log: Log;
  metrics: Metrics;
  lifecycle: Lifecycle;
  storage: Storage;
  signIn: SignIn;
  /** As in {@link createOwnerFinder}. */
  ownerOfKey: ReturnType<typeof createOwnerFinder>;
  /** Health of this process's parts, by name. */
  statuses(): Record<string, PartStatus>;
}
