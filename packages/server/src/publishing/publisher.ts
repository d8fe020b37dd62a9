/**
 * The worker: claims due lanes, has them worked on, gives them back. A value with start, drain and cut; any number of them
 * may run over one database. Nothing here waits without a limit: a promise that never settles must not end the claims,
 * the renewals or the releases.
 */
import type { Database } from '../db/database.ts';
import { withTimeout } from '../timeout.ts';
import type { EvidenceKeeper } from './evidence.ts';
import { createLaneRunner, type LaneEvents, type LaneRunnerOptions } from './lane-runner.ts';
import { claimLanes, RENEW_EVERY_MS, repairLanes } from './lanes.ts';
import { createLeases, type Held } from './leases.ts';
import { createReleases } from './releases.ts';
import { loadTasks, type Task } from './store.ts';
import { settleWithin } from './time-limit.ts';
import { longestStandstill, orphanedHolds } from './watchdog.ts';
import { freeDeadLeases, heartbeat, registerWorker, signOff, type WorkerIdentity } from './worker-identity.ts';
import { createWriter, isAway } from './writer.ts';

/** What happens inside a worker, for logs and metrics. */
export interface PublisherEvents extends LaneEvents {
  lanesRepaired(count: number): void;
  /** Lanes that this worker held without working on them were given back. */
  lanesFreed(count: number): void;
}

export interface PublisherOptions
  extends Pick<LaneRunnerOptions, 'sealer' | 'storage' | 'sessions' | 'http' | 'link' | 'random' | 'resultWithinMs'> {
  db: Database;
  evidence: EvidenceKeeper;
  worker: WorkerIdentity;
  events: PublisherEvents;
  /** Lanes advanced at once. */
  slots: number;
  /** Milliseconds of a clock that only runs forward. */
  monotonic: () => number;
  /** Milliseconds since the epoch; jumps after the machine slept. */
  wall: () => number;
}

/** How a worker fares, for readiness and metrics. */
export interface PublisherStatus {
  /** ms since it last looked for due lanes with success; null: not yet. A number that grows means that nothing is published. */
  lastClaimAgeMs: number | null;
  /** Seconds since the lane that stands still for longest was claimed or last wrote its target; 0 without lanes. */
  standstillSeconds: number;
}

export interface Publisher {
  /** Begins to work: frees what dead workers of this machine held, then looks every second. */
  start(): Promise<void>;
  /** Something became due: look now. */
  wake(): void;
  status(): PublisherStatus;
  /** One look: claims what is due and advances it until nothing is due any more. For tests and tools. @returns lanes claimed */
  runUntilIdle(): Promise<number>;
  /** Takes nothing new, begins nothing irreversible, and waits for what is under way. */
  drain(timeoutMs: number): Promise<void>;
  /** Stops at once, as a crash would: nothing more is written or released. */
  cut(): void;
}

const LOOK_EVERY_MS = 1_000;
const HEARTBEAT_EVERY_MS = 20_000;
/** Without a claim that succeeded within this, the worker does not call itself alive. */
export const CLAIM_FRESH_MS = 30_000;
const REPAIR_EVERY_MS = 60_000;
/** A heartbeat or repair that takes longer must not be the reason that no other follows, in ms. */
const TIMED_WITHIN_MS = 15_000;
const CLAIM_AT_ONCE = 32;
/** A claim that takes longer is worth nothing: the leases that it took are over. */
const CLAIM_WITHIN_MS = 10_000;
/** A row that somebody else had locked is renewed again after so long, up to so many times. */
const LOCKED_AGAIN_MS = 250;
const LOCKED_AGAIN_TIMES = 8;
/**
 * While more lanes wait than there are slots, a claim for one free slot costs as much as one for many: it waits until so
 * many are free, or so many ms.
 */
const WORTH_A_CLAIM = 16;
const COMPANY_MS = 10;
/** A user takes at most this part of a worker's slots, but always four. */
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
  /** By identity. A lane whose lease is over stays here until its run has ended, so that it is not begun a second time. */
  const running = new Map<string, { held: Held; done: Promise<void> }>();
  const timers: NodeJS.Timeout[] = [];
  /** More lanes are due than there was room for: those in hand make way after each move. */
  let pressed = false;
  /** Some lane may wait for another to end: others are pressed for room, or a user has a whole share. */
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
  /** One that failed is repeated at the next look. */
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

  /** Reads what the lanes have in hand. A lane that cannot be read is given back, and is no reason to keep the others. */
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
    // With all slots taken nothing is claimed, and a renewal says as well that the worker is well.
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
      // Over before the next one: a renewal without an answer must not be the reason that a lease ends.
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
