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
  let before = Number.POSITIVE_INFINITY;
  for (; performance.now() - last < PATIENCE_MS; await pause(100)) {
    const unfound = await unlessOutage(async () => Math.max(0, phonePosts - (await countFound(db))));
    const unfinished = await unlessOutage(() => countUnfinished(db));
    if (unfound === null || unfinished === null) continue;
    const open = unfound + unfinished;
    if (open === 0) return true;
    const isMoved = (await unlessOutage(() => clock.advance(unfound > 0))) === true;
    // Checks are always due soon, so their moments are no progress.
    if (open < before || (isMoved && unfound === 0)) last = performance.now();
    before = open;
  }
  return false;
}

/** On a busy machine, the run's own statement may time out: it is repeated. @throws any other error */
function unlessOutage<T>(act: () => Promise<T>): Promise<T | null> {
  return act().catch((error: unknown) => {
    if (isOutage(error)) return null;
    throw error;
  });
}
