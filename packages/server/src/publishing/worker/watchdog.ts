/** Detects orphaned and stalled lane holds. Pure. */
import { MINUTE } from '../../lib/time.ts';
import type { HeldLane } from '../leases.ts';

/** Longer than a claim and both attempts to load its targets may take, in ms. */
const BEGINS_WITHIN_MS = MINUTE;

/** Holds without a running lane. Renewed, they would block their lanes until the process ends. */
export function orphanedHolds(
  held: readonly HeldLane[],
  isRunning: (held: HeldLane) => boolean,
  now: number,
): HeldLane[] {
  return held.filter((each) => !isRunning(each) && now - each.progressAt > BEGINS_WITHIN_MS);
}

/** Longest time in seconds since a hold was claimed or last wrote its target; 0 without holds. */
export function longestStandstill(held: readonly HeldLane[], now: number): number {
  return Math.max(0, ...held.map((each) => (now - each.progressAt) / 1000));
}
