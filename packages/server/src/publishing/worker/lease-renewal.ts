/** Renews the leases of a worker and releases lanes that it holds without running them. */
import type { Database } from '../../db/database.ts';
import type { PublisherEvents } from '../events.ts';
import type { HeldLane, Leases } from '../leases.ts';
import type { Claimer } from './claimer.ts';
import type { Slots } from './slots.ts';
import { orphanedHolds } from './watchdog.ts';

export interface LeaseRenewalDeps {
  db: Database;
  workerId: string;
  leases: Leases;
  slots: Slots;
  claimer: Claimer;
  events: PublisherEvents;
  /** Releases a lane that does not run. */
  giveBack: (held: HeldLane) => void;
  isAborted: () => boolean;
}

/** A locked row is renewed again after this delay, up to this many times. */
const LOCKED_AGAIN_MS = 250;
const LOCKED_AGAIN_TIMES = 8;

/** @returns a function that renews all leases once */
export function createLeaseRenewal(deps: LeaseRenewalDeps): () => Promise<void> {
  const { db, leases, slots, claimer } = deps;

  function freeOrphans(): void {
    const orphans = orphanedHolds(leases.entries(), slots.isRunning, leases.mark().monotonic);
    for (const orphan of orphans) deps.giveBack(orphan);
    if (orphans.length > 0) deps.events.lanesFreed(orphans.length);
  }

  return async () => {
    freeOrphans();
    let locked = await leases.renew(db, claimer.isHealthy() ? deps.workerId : null);
    // With all slots taken nothing is claimed. A successful renewal then also proves that the worker is healthy.
    if (slots.free() <= 0) claimer.confirmHealth();
    for (let times = 0; locked.length > 0 && times < LOCKED_AGAIN_TIMES && !deps.isAborted(); times++) {
      await new Promise((resolve) => setTimeout(resolve, LOCKED_AGAIN_MS));
      const held = new Set(leases.entries());
      const stillHeld = locked.filter((each) => held.has(each));
      locked = await leases.renew(db, null, stillHeld);
    }
  };
}
