/** Finds what the publisher should never leave behind, and says how long its longest hold has made no progress. Pure. */
import type { Held } from './leases.ts';

/** Longer than it takes from a claim to the begin of its work, in ms. */
const BEGINS_WITHIN_MS = 30_000;

/** Lanes that are held although nothing here works on them: renewed, they would be held until the process ends. */
export function orphanedHolds(held: readonly Held[], isRunning: (held: Held) => boolean, now: number): Held[] {
  return held.filter((each) => !isRunning(each) && now - each.progressAt > BEGINS_WITHIN_MS);
}

/** Seconds since the hold that stands still for longest was claimed or last wrote its target; 0 without holds. */
export function longestStandstill(held: readonly Held[], now: number): number {
  return Math.max(0, ...held.map((each) => (now - each.progressAt) / 1000));
}
