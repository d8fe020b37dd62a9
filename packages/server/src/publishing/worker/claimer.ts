/** Claims due lanes for the free slots of a worker and loads their targets. */
import { type Database, isAway } from '../../db/database.ts';
import { settleWithin } from '../../errors/time-limit.ts';
import type { Sealer } from '../../lib/encryption/seal.ts';
import type { PublisherEvents } from '../events.ts';
import { claimLanes } from '../lanes.ts';
import type { HeldLane, Leases } from '../leases.ts';
import type { Task } from '../task.ts';
import { loadTasks } from '../task-store.ts';
import type { Slots } from './slots.ts';

/** A claimed lane and its target; undefined: no target is due any more. */
export type ClaimedLane = [HeldLane, Task | undefined];

export interface Claimer {
  /** Claims as many due lanes as slots are free. */
  claim(): Promise<ClaimedLane[]>;
  /** Counts as a successful claim: the worker proved healthy while it had nothing to claim. */
  confirmHealth(): void;
  /** ms since the last successful claim; null before the first. */
  lastClaimAgeMs(): number | null;
  /** Whether claims succeed. Otherwise the worker does not report itself alive. */
  isHealthy(): boolean;
}

export interface ClaimerDeps {
  db: Database;
  sealer: Sealer;
  workerId: string;
  leases: Leases;
  slots: Slots;
  events: PublisherEvents;
  /** Releases a lane that does not run. */
  giveBack: (held: HeldLane) => void;
}

/** A worker without a successful claim within this time does not report itself alive. */
export const CLAIM_FRESH_MS = 30_000;
const CLAIM_AT_ONCE = 32;
/** A slower claim is useless: the leases it took have expired. */
const CLAIM_WITHIN_MS = 10_000;

export function createClaimer(deps: ClaimerDeps): Claimer {
  const { db, leases, slots } = deps;
  let claimedAt: number | null = null;
  const now = () => leases.mark().monotonic;
  const lastClaimAgeMs = () => (claimedAt === null ? null : now() - claimedAt);

  /** A lane that cannot be read is released and does not affect the others. */
  async function load(holds: readonly HeldLane[]): Promise<ClaimedLane[]> {
    try {
      const lanes = holds.map((hold) => hold.lane);
      const tasks = await loadTasks(db, deps.sealer, lanes);
      const byLane = new Map(tasks.map((task) => [task.lane.identityId, task]));
      return holds.map((hold) => [hold, byLane.get(hold.lane.identityId)]);
    } catch (error) {
      slots.clearDemand();
      if (holds.length > 1 && !isAway(error)) return (await Promise.all(holds.map((hold) => load([hold])))).flat();
      deps.events.failed('load', error);
      for (const hold of holds) deps.giveBack(hold);
      return [];
    }
  }

  return {
    async claim() {
      const wanted = Math.min(slots.free(), CLAIM_AT_ONCE);
      if (wanted <= 0) return [];
      const mark = leases.mark();
      const limits = { ...slots.limits(), running: slots.running() };
      const { lanes, more } = await settleWithin(CLAIM_WITHIN_MS, claimLanes(db, deps.workerId, wanted, limits));
      claimedAt = now();
      const holds = lanes.map((lane) => leases.hold(lane, mark));
      slots.setDemand(more);
      return holds.length === 0 ? [] : load(holds);
    },
    confirmHealth() {
      claimedAt = now();
    },
    lastClaimAgeMs,
    isHealthy() {
      const age = lastClaimAgeMs();
      return age !== null && age <= CLAIM_FRESH_MS;
    },
  };
}
