/** The loop that checks watched accounts when they are due. */
import type { Connector } from '../connectors/contract.ts';
import { MINUTE } from '../lib/time.ts';
import { type Claim, withLease } from '../queue/claim.ts';
import { createDueLoop, type DueLoop } from '../queue/loop.ts';
import { holderOf } from '../queue/shares.ts';
import { type CheckDeps, checkWatch } from './check.ts';
import { claimFailing, type FailingWatch } from './warning-store.ts';
import { dueWatches, startWatches, type WatchRow } from './watch-store.ts';

/** A check whose result could not be stored is repeated after this time. Long checks renew the lease. */
const LEASE_MS = MINUTE;
/** Total time of a check in ms. Its last page may begin after two minutes, and takes several requests. */
const WITHIN_MS = 15 * MINUTE;
const START_EVERY_MS = MINUTE;

export interface WatchLoopDeps extends CheckDeps {
  connectors: Readonly<Record<string, Connector>>;
  onError(error: unknown): void;
  /** Called once for each watch that has failed for an hour. */
  onFailing(watch: FailingWatch): void;
}

/** Creates the loop. It is not started yet. */
export function createWatchLoop(deps: WatchLoopDeps): DueLoop {
  const { db, connectors, monotonic } = deps;
  return createDueLoop<Claim<WatchRow>>({
    chore: {
      everyMs: START_EVERY_MS,
      async run() {
        await startWatches(db, connectors);
        for (const watch of await claimFailing(db)) deps.onFailing(watch);
      },
    },
    claim: (limit, limits) => dueWatches.claim(db, { limit, leaseMs: LEASE_MS, limits }),
    holder: holderOf,
    run(claim) {
      const run = async () => {
        try {
          await checkWatch(deps, claim);
        } catch (error) {
          deps.onError(error);
          await dueWatches.release(db, claim, { afterMs: MINUTE, failed: true });
        }
      };
      return withLease(db, dueWatches, claim, { leaseMs: LEASE_MS, withinMs: WITHIN_MS, run, onError: deps.onError });
    },
    concurrency: 16,
    withinMs: WITHIN_MS,
    clock: monotonic,
    onError: deps.onError,
  });
}
