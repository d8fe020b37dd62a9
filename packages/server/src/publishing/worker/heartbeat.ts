/** Reports a worker alive at regular times, as long as its claims succeed. */
import type { Database } from '../../db/database.ts';
import type { Claimer } from './claimer.ts';
import { heartbeat } from './worker-identity.ts';

const HEARTBEAT_EVERY_MS = 20_000;
/** Between reports that are no further apart, the worker was alive, whatever the database's clock did meanwhile. */
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
  /** ms since the machine started, including times in which it slept. */
  sinceBoot: () => number;
}): Heartbeat {
  const { db, workerId, claimer, sinceBoot } = deps;
  let last: { at: number; databaseTime: Date } | null = null;
  const ageMs = () => (last === null ? Number.POSITIVE_INFINITY : sinceBoot() - last.at);
  const beat = async () => {
    const at = sinceBoot();
    const aliveSince = last && ageMs() <= ALIVE_FOR_MS ? last.databaseTime : null;
    last = { at, databaseTime: await heartbeat(db, workerId, aliveSince) };
  };
  return {
    beat,
    async beatIfDue() {
      if (claimer.isHealthy() && ageMs() >= HEARTBEAT_EVERY_MS) await beat();
    },
  };
}
