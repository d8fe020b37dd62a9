/** The slots of a worker: which lanes run in them, and whether other lanes wait for one. */
import { areUsedUp, type Limits, limitsOf } from '../../queue/shares.ts';
import type { HeldLane, Leases } from '../leases.ts';

export interface Slots {
  readonly count: number;
  /** What the held lanes leave to each user. */
  limits(): Limits;
  free(): number;
  /** Registers a lane as running. @returns the end of its run, after the slot is free */
  occupy(held: HeldLane, run: Promise<void>): Promise<void>;
  isRunning(held: HeldLane): boolean;
  /** Identities of the running lanes. */
  running(): string[];
  /** The ends of the running lanes. */
  ends(): Promise<void>[];
  /** Records the demand after a claim. @param more more lanes are due than were claimed */
  setDemand(more: boolean): void;
  /** Running lanes need not yield, because the claimed ones could not be loaded. */
  clearDemand(): void;
  /** More lanes are due than slots were free, so running lanes yield after each step. */
  isPressed(): boolean;
  /** A lane may wait for another to end: no slot is free, or a user has reached the share. */
  isCrowded(): boolean;
}

/** @param count maximum lanes in progress */
export function createSlots(count: number, leases: Leases): Slots {
  const limits = () => limitsOf(count, leases.holders());
  /** By identity. A lane with an expired lease stays here until its run has ended, so that it is not started twice. */
  const running = new Map<string, { held: HeldLane; end: Promise<void> }>();
  let pressed = false;
  let crowded = false;
  return {
    count,
    limits,
    free: () => count - Math.max(leases.count(), running.size),
    occupy(held, run) {
      const { identityId } = held.lane;
      const end = run.finally(() => running.delete(identityId));
      running.set(identityId, { held, end });
      return end;
    },
    isRunning: (held) => running.get(held.lane.identityId)?.held === held,
    running: () => [...running.keys()],
    ends: () => [...running.values()].map(({ end }) => end),
    setDemand(more) {
      pressed = more;
      crowded = more || areUsedUp(limits());
    },
    clearDemand() {
      pressed = crowded = false;
    },
    isPressed: () => pressed,
    isCrowded: () => crowded,
  };
}
