/** Lanes that end within one tick are given back in one transaction. */
import type { Database } from '../db/database.ts';
import { type Lane, releaseLanes } from './lanes.ts';
import { settleWithin } from './time-limit.ts';

const AT_ONCE = 64;
/** Lanes whose release takes longer are left to their leases, so that those behind them are not held up. */
const WITHIN_MS = 5_000;

export interface Releases {
  /** Resolves when the lane is free for others, or is left to its lease. Never rejects. */
  release(lane: Lane): Promise<void>;
}

export function createReleases(
  db: Database,
  isCut: () => boolean,
  onTrouble: (error: unknown) => void,
  withinMs = WITHIN_MS,
): Releases {
  const waiting: { lane: Lane; done: () => void }[] = [];
  let busy = false;
  const releaseAll = async () => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, AT_ONCE);
      try {
        const lanes = batch.map((each) => each.lane);
        if (!isCut()) await settleWithin(withinMs, releaseLanes(db, lanes));
      } catch (error) {
        onTrouble(error);
      }
      for (const each of batch) each.done();
    }
    busy = false;
  };
  return {
    release(lane) {
      const done = new Promise<void>((resolve) => waiting.push({ lane, done: resolve }));
      if (!busy) {
        busy = true;
        queueMicrotask(() => void releaseAll());
      }
      return done;
    },
  };
}
