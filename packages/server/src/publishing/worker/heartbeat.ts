/** Reports a worker alive at regular times, as long as its claims succeed. */
import type { Database } from '../../db/database.ts';
import type { Claimer } from './claimer.ts';
import { heartbeat } from './worker-identity.ts';

const HEARTBEAT_EVERY_MS = 20_000;
/** Between reports that are no further apart, the worker was alive, even if the database's clock jumped meanwhile. */
const ALIVE_FOR_MS = 60_000;

export interface Heartbeat {
  /** Reports the worker alive. */
  beat(): Promise<void>;
  /** The same if it is time and the worker is healthy; a failed report is repeated at the next call. */
  beatIfDue(): Promise<void>;
}

export function createHeartbeat(deps: {
  db: Database;
  workerId: string;
  claimer: Pick<Claimer, 'isHealthy'>;
  /** ms of a monotonic clock. */
  monotonic: () => number;
  /** ms since the machine started, including times in which it slept. */
  sinceBoot: () => number;
}): Heartbeat {
  const { db, workerId, claimer, monotonic, sinceBoot } = deps;
  let last: { monotonic: number; sinceBoot: number; databaseTime: Date } | null = null;
  const beat = async () => {
    const now = { monotonic: monotonic(), sinceBoot: sinceBoot() };
    const aliveSince = last && now.sinceBoot - last.sinceBoot <= ALIVE_FOR_MS ? last.databaseTime : null;
    last = { ...now, databaseTime: await heartbeat(db, workerId, aliveSince) };
  };
  return {
    beat,
    async beatIfDue() {
      const isDue = last === null || monotonic() - last.monotonic >= HEARTBEAT_EVERY_MS;
      if (claimer.isHealthy() && isDue) await beat();
    },
  };
}
