/** Waits until the service has finished everything, by advancing the clock of the run. */
import { setTimeout as pause } from 'node:timers/promises';
import { countFound, countUnfinished } from './collect.ts';
import type { ChaosDatabase } from './database.ts';
import { isOutage } from './outage.ts';

/** After this time without progress, open targets count as stuck. In ms. */
const PATIENCE_MS = 120_000;

/**
 * Advances the clock from one due time to the next until everything is finished.
 * @param phonePosts number of posts that watches must find
 * @returns false without further progress
 */
export async function drain({ db, clock }: ChaosDatabase, phonePosts: number): Promise<boolean> {
  let last = performance.now();
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    const unfound = await count(() => countFound(db), before).then((found) => Math.max(0, phonePosts - found));
    const open = unfound + (await count(() => countUnfinished(db), before));
    if (open === 0) return true;
    const moved = await clock.advance(unfound > 0).catch((error: unknown) => unlessLasting(error, false));
    // Checks are always due soon, so their moments are no progress.
    if (open < before || (moved && unfound === 0)) last = performance.now();
    if (performance.now() - last > PATIENCE_MS) return false;
    before = open;
    await pause(100);
  }
}

const count = (read: () => Promise<number>, otherwise: number) =>
  read().catch((error: unknown) => unlessLasting(error, otherwise));

/** On a busy machine, the run's own statement may time out: it is repeated. @throws any other error */
function unlessLasting<T>(error: unknown, value: T): T {
  if (isOutage(error)) return value;
  throw error;
}
