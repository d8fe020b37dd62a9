/** The leases held by this worker, measured by its own clocks. */
import type { Database } from '../db/database.ts';
import { type Holder, holderOf } from '../queue/shares.ts';
import { type Lane, LEASE_MS, renewLanes } from './lanes.ts';

/** A moment on two clocks: monotonic, and wall time, which jumps after the machine slept. */
export interface Mark {
  monotonic: number;
  wall: number;
}

export interface HeldLane {
  lane: Lane;
  until: Mark;
  /** When the lane was claimed or its target last written, by the monotonic clock. */
  progressAt: number;
  /** Aborted when another worker claimed the lane. */
  lost: AbortController;
}

export interface Leases {
  mark(): Mark;
  /** @param mark when the claim was sent: the lease counts from then, not from the response */
  hold(lane: Lane, mark: Mark): HeldLane;
  /** Removes exactly this hold; a newer hold of the same lane stays. */
  drop(held: HeldLane): void;
  count(): number;
  entries(): HeldLane[];
  /** Extends from when the statement was sent. Never shortens. */
  prolong(held: HeldLane, mark: Mark, ms: number): void;
  /** Remaining ms by the more pessimistic clock. */
  leftMs(held: HeldLane): number;
  /** Whose the held lanes are. */
  holders(): Holder[];
  /**
   * Renews leases; all by default.
   * @param aliveAs the worker whose heartbeat is updated with them
   * @returns holds whose row was locked by another transaction; these are neither renewed nor lost
   */
  renew(db: Database, aliveAs: string | null, which?: readonly HeldLane[]): Promise<HeldLane[]>;
}

export function createLeases(clocks: { monotonic: () => number; wall: () => number }): Leases {
  const held = new Map<string, HeldLane>();
  const mark = () => ({ monotonic: clocks.monotonic(), wall: clocks.wall() });
  const after = (from: Mark, ms: number) => ({ monotonic: from.monotonic + ms, wall: from.wall + ms });
  const prolong = (entry: HeldLane, from: Mark, ms: number) => {
    const until = after(from, ms);
    if (until.monotonic > entry.until.monotonic) entry.until = until;
  };
  return {
    mark,
    hold(lane, from) {
      const entry = { lane, until: after(from, LEASE_MS), progressAt: from.monotonic, lost: new AbortController() };
      held.set(lane.identityId, entry);
      return entry;
    },
    drop(entry) {
      if (held.get(entry.lane.identityId) === entry) held.delete(entry.lane.identityId);
    },
    count: () => held.size,
    entries: () => [...held.values()],
    prolong,
    leftMs(entry) {
      if (entry.lost.signal.aborted) return 0;
      const now = mark();
      return Math.min(entry.until.monotonic - now.monotonic, entry.until.wall - now.wall);
    },
    holders: () => [...held.values()].map(({ lane }) => holderOf(lane)),
    async renew(db, aliveAs, which) {
      const entries = which ?? [...held.values()];
      if (entries.length === 0) return [];
      const from = mark();
      const renewals = await renewLanes(
        db,
        entries.map((entry) => entry.lane),
        aliveAs,
      );
      const locked: HeldLane[] = [];
      for (const entry of entries) {
        const renewal = renewals.get(entry.lane.identityId);
        if (renewal === 'kept') prolong(entry, from, LEASE_MS);
        else if (renewal === 'locked') locked.push(entry);
        else entry.lost.abort();
      }
      return locked;
    },
  };
}
