/** Finds what the publisher should never leave behind, and says how long its longest hold has made no progress. Pure. */
import type { Held } from './leases.ts';

/** Longer than a claim and both attempts to read what it took may last, in ms. */
const BEGINS_WITHIN_MS = 60_000;

/** Lanes that are held although nothing here works on them: renewed, they would be held until the process ends. */
export function orphanedHolds(held: readonly Held[], isRunning: (held: Held) => boolean, now: number): Held[] {
  return held.filter((each) => !isRunning(each) && now - each.progressAt > BEGINS_WITHIN_MS);
}

/** Seconds since the hold that stands still for longest was claimed or last wrote its target; 0 without holds. */
export function longestStandstill(held: readonly Held[], now: number): number {
  return Math.max(0, ...held.map((each) => (now - each.progressAt) / 1000));
}
