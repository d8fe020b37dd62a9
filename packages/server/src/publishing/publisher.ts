/**
 * The publishing worker: claims due lanes, runs them and releases them. Any number of workers may share one database.
 * Every wait has a timeout: a promise that never settles must not stop claims, renewals or releases.
 */
import type { Database } from '../db/database.ts';
import { withTimeout } from '../timeout.ts';
import type { PublisherEvents } from './events.ts';
import type { EvidenceKeeper } from './evidence.ts';
import { createLaneRunner, type LaneRunnerOptions } from './lane-runner.ts';
import { claimLanes, RENEW_EVERY_MS, repairLanes } from './lanes.ts';
import { createLeases, type Held } from './leases.ts';
import { createReleases } from './releases.ts';
import type { Task } from './task.ts';
import { loadTasks } from './task-store.ts';
import { settleWithin } from './time-limit.ts';
import { longestStandstill, orphanedHolds } from './watchdog.ts';
import { freeDeadLeases, heartbeat, registerWorker, signOff, type WorkerIdentity } from './worker-identity.ts';
import { createWriter, isAway } from './writer.ts';

export interface PublisherOptions
  extends Pick<LaneRunnerOptions, 'sealer' | 'storage' | 'sessions' | 'http' | 'link' | 'random' | 'resultWithinMs'> {
  db: Database;
  evidence: EvidenceKeeper;
  worker: WorkerIdentity;
  events: PublisherEvents;
  /** Maximum lanes in progress. */
  slots: number;
  /** ms of a monotonic clock. */
  monotonic: () => number;
  /** ms since the epoch; jumps after the machine slept. */
  wall: () => number;
}

/** Health of a worker, for readiness and metrics. */
export interface PublisherStatus {
  /**
   * ms since the last successful poll for due lanes; null before the first. If it keeps growing, nothing is published.
   */
  lastClaimAgeMs: number | null;
  /** Longest time in seconds since a held lane was claimed or last wrote its target; 0 without lanes. */
  standstillSeconds: number;
}

export interface Publisher {
  /** Starts working: frees leases of dead workers on this machine, then polls every second. */
  start(): Promise<void>;
  /** Polls now, because something became due. */
  wake(): void;
  status(): PublisherStatus;
  /** Claims due lanes and runs them until none is due. For tests and tools. @returns number of claimed lanes */
  runUntilIdle(): Promise<number>;
  /** Claims nothing new, starts no irreversible call, and waits for work in progress. */
  drain(timeoutMs: number): Promise<void>;
  /** Stops at once, like a crash: nothing more is written or released. */
  cut(): void;
}

const LOOK_EVERY_MS = 1_000;
const HEARTBEAT_EVERY_MS = 20_000;
/** A worker without a successful claim within this time does not report itself alive. */
export const CLAIM_FRESH_MS = 30_000;
const REPAIR_EVERY_MS = 60_000;
/** A slower heartbeat or repair (in ms) must not prevent the next one. */
const TIMED_WITHIN_MS = 15_000;
const CLAIM_AT_ONCE = 32;
/** A slower claim is useless: the leases it took have expired. */
const CLAIM_WITHIN_MS = 10_000;
/** A locked row is renewed again after this delay, up to this many times. */
const LOCKED_AGAIN_MS = 250;
const LOCKED_AGAIN_TIMES = 8;
/**
 * While more lanes wait than there are slots, a claim for one slot costs as much as one for many. The worker then waits
 * until this many slots are free, or this many ms.
 */
const WORTH_A_CLAIM = 16;
const COMPANY_MS = 10;
/** Maximum share of a worker's slots per user, but at least four slots. */
const USER_SHARE = 0.25;
const SIGN_OFF_WITHIN_MS = 2_000;

export function createPublisher(options: PublisherOptions): Publisher {
  const { db, sealer, events, worker } = options;
  let mode: 'idle' | 'running' | 'draining' | 'cut' = 'idle';
  const isCut = () => mode === 'cut';
  const isStopping = () => mode === 'draining' || mode === 'cut';
  const leases = createLeases(options);
  const releases = createReleases(db, isCut, (error) => events.trouble('release', error));
  const writer = createWriter({ ...options, db, leases, isCut });
  const share = Math.max(4, Math.floor(options.slots * USER_SHARE));
  /** By identity. A lane with an expired lease stays here until its run has ended, so that it is not started twice. */
  const running = new Map<string, { held: Held; done: Promise<void> }>();
  const timers: NodeJS.Timeout[] = [];
  /** More lanes are due than slots were free, so running lanes yield after each step. */
  let pressed = false;
  /** A lane may wait for another to end: no slot is free, or a user has reached the share. */
  let crowded = false;
  let looking = false;
  let lookAgain = false;
  let soon: NodeJS.Timeout | null = null;
  let claimedAt: number | null = null;
  let beatenAt: number | null = null;
  const runLane = createLaneRunner({
    ...options,
    leases,
    releases,
    writer,
    isPressed: () => pressed,
    isStopping,
    isCut,
  });

  const now = () => leases.mark().monotonic;
  const freeSlots = () => options.slots - Math.max(leases.count(), running.size);
  const claimsSucceed = () => claimedAt !== null && now() - claimedAt <= CLAIM_FRESH_MS;
  /** A failed heartbeat is repeated at the next poll. */
  const beat = async () => {
    if (!claimsSucceed() || (beatenAt !== null && now() - beatenAt < HEARTBEAT_EVERY_MS)) return;
    await heartbeat(db, worker.id);
    beatenAt = now();
  };

  async function look(): Promise<number> {
    const asked = Math.min(freeSlots(), CLAIM_AT_ONCE);
    if (asked <= 0) return 0;
    const mark = leases.mark();
    const held = leases.countByUser();
    const limits = { held, share, running: [...running.keys()] };
    const claimed = await settleWithin(CLAIM_WITHIN_MS, claimLanes(db, worker.id, asked, limits));
    claimedAt = now();
    const holds = claimed.lanes.map((lane) => leases.hold(lane, mark));
    pressed = claimed.more;
    crowded = pressed || [...leases.countByUser().values()].some((count) => count >= share);
    if (holds.length === 0) return 0;
    const loaded = await load(holds);
    for (const [hold, task] of loaded) begin(hold, task);
    return loaded.length;
  }

  /** Loads the targets in progress. A lane that cannot be read is released and does not affect the others. */
  async function load(holds: readonly Held[]): Promise<[Held, Task | undefined][]> {
    try {
      const tasks = await loadTasks(
        db,
        sealer,
        holds.map((hold) => hold.lane),
      );
      const byLane = new Map(tasks.map((task) => [task.lane.identityId, task]));
      return holds.map((hold) => [hold, byLane.get(hold.lane.identityId)]);
    } catch (error) {
      pressed = crowded = false;
      if (holds.length > 1 && !isAway(error)) return (await Promise.all(holds.map((hold) => load([hold])))).flat();
      events.trouble('load', error);
      for (const hold of holds) giveBack(hold);
      return [];
    }
  }

  function giveBack(hold: Held): void {
    leases.drop(hold);
    void releases.release(hold.lane);
  }

  function begin(held: Held, task: Task | undefined): void {
    const { identityId } = held.lane;
    const done = runLane(held, task).finally(() => {
      running.delete(identityId);
      if (crowded) wakeSoon();
    });
    running.set(identityId, { held, done });
  }

  function wakeSoon(): void {
    const free = freeSlots();
    if (free >= Math.min(WORTH_A_CLAIM, options.slots)) wake();
    else if (free > 0) soon ??= setTimeout(wake, COMPANY_MS);
  }

  function wake(): void {
    if (soon) clearTimeout(soon);
    soon = null;
    if (mode !== 'running') return;
    if (looking) {
      lookAgain = true;
      return;
    }
    looking = true;
    const isFirst = claimedAt === null;
    void look()
      .catch((error) => {
        events.trouble('claim', error);
        return 0;
      })
      .then((claimed) => {
        looking = false;
        const again = lookAgain;
        lookAgain = false;
        if (again) setImmediate(wake);
        else if (crowded && claimed > 0) wakeSoon();
        if (isFirst) return beat();
      })
      .catch((error) => events.trouble('heartbeat', error));
  }

  async function renew(): Promise<void> {
    freeOrphans();
    let locked = await leases.renew(db, claimsSucceed() ? worker.id : null);
    // With all slots taken nothing is claimed. A successful renewal then also proves that the worker is healthy.
    if (freeSlots() <= 0) claimedAt = now();
    for (let times = 0; locked.length > 0 && times < LOCKED_AGAIN_TIMES && !isCut(); times++) {
      await pause(LOCKED_AGAIN_MS);
      const held = new Set(leases.entries());
      locked = await leases.renew(
        db,
        null,
        locked.filter((each) => held.has(each)),
      );
    }
  }

  function freeOrphans(): void {
    const isRunning = (held: Held) => running.get(held.lane.identityId)?.held === held;
    const orphans = orphanedHolds(leases.entries(), isRunning, now());
    for (const orphan of orphans) giveBack(orphan);
    if (orphans.length > 0) events.lanesFreed(orphans.length);
  }

  function every(ms: number, what: string, action: () => Promise<unknown>, limitMs = TIMED_WITHIN_MS): void {
    let busy = false;
    const timer = setInterval(() => {
      if (busy) return;
      busy = true;
      settleWithin(limitMs, action())
        .catch((error) => events.trouble(what, error))
        .finally(() => {
          busy = false;
        });
    }, ms);
    timers.push(timer);
  }

  const stopTimers = () => {
    if (soon) clearTimeout(soon);
    for (const timer of timers) clearInterval(timer);
  };
  const runs = () => [...running.values()].map((run) => run.done);

  return {
    async start() {
      await registerWorker(db, worker);
      await freeDeadLeases(db, worker);
      await options.evidence.readLeftOver();
      mode = 'running';
      every(LOOK_EVERY_MS, 'claim', async () => wake());
      // Must end before the next renewal, so that one renewal without a response does not let a lease expire.
      every(RENEW_EVERY_MS, 'renew', renew, RENEW_EVERY_MS - 100);
      every(LOOK_EVERY_MS, 'heartbeat', beat);
      every(REPAIR_EVERY_MS, 'repair', async () => {
        const count = await repairLanes(db);
        if (count > 0) events.lanesRepaired(count);
      });
      wake();
    },
    wake,
    status: () => ({
      lastClaimAgeMs: claimedAt === null ? null : now() - claimedAt,
      standstillSeconds: longestStandstill(leases.entries(), now()),
    }),
    async runUntilIdle() {
      for (let count = 0; ; ) {
        const claimed = await look();
        await Promise.all(runs());
        if (claimed === 0) return count;
        count += claimed;
      }
    },
    async drain(timeoutMs) {
      if (isCut()) return;
      mode = 'draining';
      const drained = async () => {
        while (running.size > 0 || looking || releases.pending() > 0) await Promise.race([...runs(), pause(20)]);
      };
      await withTimeout(timeoutMs, drained(), () => {});
      stopTimers();
      releases.stop();
      const signedOff = settleWithin(SIGN_OFF_WITHIN_MS, signOff(db, worker.id));
      await signedOff.catch((error) => events.trouble('sign-off', error));
    },
    cut() {
      mode = 'cut';
      stopTimers();
      releases.stop();
    },
  };
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
