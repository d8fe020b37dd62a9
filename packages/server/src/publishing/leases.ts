/** What this worker holds, and until when by its own clocks. */
import type { Database } from '../db/database.ts';
import { type Lane, LEASE_MS, renewLanes } from './lanes.ts';

/** A moment on both clocks: one that only runs forward, and one that jumps after the machine slept. */
export interface Mark {
  monotonic: number;
  wall: number;
}

export interface Held {
  lane: Lane;
  until: Mark;
}

export interface Leases {
  mark(): Mark;
  /** @param mark when the claim was sent: the lease counts from then, not from its answer */
  hold(lane: Lane, mark: Mark): void;
  get(identityId: string): Held | undefined;
  drop(identityId: string): void;
  count(): number;
  /** Counts from when the statement that prolonged it was sent. Never shorter than before. */
  prolong(held: Held, mark: Mark, ms: number): void;
  /** By the clock that says less. */
  leftMs(held: Held): number;
  /** Users who hold at least this many lanes here. */
  usersWith(atLeast: number): string[];
  renew(db: Database): Promise<void>;
}

export function createLeases(clocks: { monotonic: () => number; wall: () => number }): Leases {
  const held = new Map<string, Held>();
  const mark = () => ({ monotonic: clocks.monotonic(), wall: clocks.wall() });
  const after = (from: Mark, ms: number) => ({ monotonic: from.monotonic + ms, wall: from.wall + ms });
  const prolong = (entry: Held, from: Mark, ms: number) => {
    const until = after(from, ms);
    if (until.monotonic > entry.until.monotonic) entry.until = until;
  };
  return {
    mark,
    hold: (lane, from) => void held.set(lane.identityId, { lane, until: after(from, LEASE_MS) }),
    get: (identityId) => held.get(identityId),
    drop: (identityId) => void held.delete(identityId),
    count: () => held.size,
    prolong,
    leftMs(entry) {
      const now = mark();
      return Math.min(entry.until.monotonic - now.monotonic, entry.until.wall - now.wall);
    },
    usersWith(atLeast) {
      const counts = new Map<string, number>();
      for (const { lane } of held.values()) counts.set(lane.userId, (counts.get(lane.userId) ?? 0) + 1);
      return [...counts].flatMap(([user, count]) => (count >= atLeast ? [user] : []));
    },
    async renew(db) {
      const entries = [...held.values()];
      if (entries.length === 0) return;
      const from = mark();
      const kept = await renewLanes(
        db,
        entries.map((entry) => entry.lane),
      );
      for (const entry of entries) {
        if (kept.has(entry.lane.identityId)) prolong(entry, from, LEASE_MS);
        else entry.until = after(from, 0);
      }
    },
  };
}
