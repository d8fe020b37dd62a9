/** Reports a worker alive at regular times, as long as its claims succeed. */
import type { Database } from '../../db/database.ts';
import type { Claimer } from './claimer.ts';
import { heartbeat } from './worker-identity.ts';

const HEARTBEAT_EVERY_MS = 20_000;

/** @returns a function that reports the worker alive if it is time; a failed report is repeated at the next call */
export function createHeartbeat(deps: {
  db: Database;
  workerId: string;
  claimer: Claimer;
  /** ms of a monotonic clock. */
  monotonic: () => number;
}): () => Promise<void> {
  const { db, workerId, claimer, monotonic } = deps;
  let beatenAt: number | null = null;
  return async () => {
    if (!claimer.isHealthy() || (beatenAt !== null && monotonic() - beatenAt < HEARTBEAT_EVERY_MS)) return;
    await heartbeat(db, workerId);
    beatenAt = monotonic();
  };
}
