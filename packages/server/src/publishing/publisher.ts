/**
 * The worker: claims due lanes, advances what they have in hand, gives them back. A value with start, drain and cut;
 * any number of them may run over one database.
 */
import type { Connector, Media } from '../connectors/contract.ts';
import type { ManagedHttp } from '../connectors/kit/http.ts';
import type { Database } from '../db/database.ts';
import { ReelayError } from '../errors.ts';
import type { Sealer } from '../seal.ts';
import type { Storage } from '../storage/contract.ts';
import { advance, type Mover } from './advance.ts';
import { closeBudgets, spend } from './budgets.ts';
import { afterCrash, becomeUnknown } from './decide.ts';
import type { EvidenceKeeper } from './evidence.ts';
import {
  claimLanes,
  type Lane,
  LEASE_MS,
  nextInHand,
  RENEW_EVERY_MS,
  releaseLanes,
  renewLanes,
  repairLanes,
} from './lanes.ts';
import { writePosted } from './posted.ts';
import type { SendOutcome } from './send.ts';
import type { SessionSource } from './sessions.ts';
import { loadTasks, minutesWithoutWorker, readVersion, type Task, writeTarget } from './store.ts';
import type { Transition } from './target.ts';
import { freeDeadLeases, heartbeat, registerWorker, signOff, type WorkerIdentity } from './worker-identity.ts';

export interface PublisherEvents {
  /** A target changed; for live views and metrics. */
  moved(task: Task, transition: Transition): void;
  bug(error: unknown, targetId: string): void;
  trouble(what: string, error: unknown): void;
  lanesRepaired(count: number): void;
}

export interface PublisherOptions {
  db: Database;
  sealer: Sealer;
  storage: Storage;
  sessions: SessionSource;
  http: ManagedHttp;
  evidence: EvidenceKeeper;
  worker: WorkerIdentity;
  events: PublisherEvents;
  /** Whether budgets are counted for this account (they are not in the sandbox). */
  countsBudgets(connector: Connector, task: Task): boolean;
  /** Lanes advanced at once. */
  slots: number;
  random: () => number;
  /** Milliseconds of a clock that only runs forward. */
  monotonic: () => number;
  /** Milliseconds since the epoch; jumps after the machine slept. */
  wall: () => number;
}

export interface Publisher {
  /** Begins to work: frees what dead workers of this machine held, then looks every second. */
  start(): Promise<void>;
  /** Something became due: look now. */
  wake(): void;
  /** One look: claims what is due and advances it until nothing is due any more. For tests and tools. */
  runUntilIdle(): Promise<number>;
  /** Takes nothing new, begins nothing irreversible, and waits for what is under way. */
  drain(timeoutMs: number): Promise<void>;
  /** Stops at once, as a crash would: nothing more is written or released. */
  cut(): void;
}

const LOOK_EVERY_MS = 1_000;
const CLAIM_AT_ONCE = 32;
/** A user holds at most this share of a worker's slots. */
const SHARE = 4;

interface Held {
  lane: Lane;
  /** Local end of the lease, on both clocks; counted from when the claim or renewal was sent. */
  until: { monotonic: number; wall: number };
}

export function createPublisher(options: PublisherOptions): Publisher {
  const { db, sealer, events, worker } = options;
  const held = new Map<string, Held>();
  const running = new Set<Promise<void>>();
  const timers: NodeJS.Timeout[] = [];
  let mode: 'idle' | 'running' | 'draining' | 'cut' = 'idle';
  let pressed = false;
  let looking: Promise<number> | null = null;
  let lookAgain = false;
  const toRelease: { lane: Lane; done: () => void }[] = [];
  let releasing = false;

  const leaseFrom = (mark: { monotonic: number; wall: number }, ms: number) => ({
    monotonic: mark.monotonic + ms,
    wall: mark.wall + ms,
  });
  const clocks = () => ({ monotonic: options.monotonic(), wall: options.wall() });
  const leftMs = (entry: Held) => {
    const now = clocks();
    return Math.min(entry.until.monotonic - now.monotonic, entry.until.wall - now.wall);
  };

  async function look(): Promise<number> {
    const free = options.slots - held.size;
    if (free <= 0) return 0;
    const asked = Math.min(free, CLAIM_AT_ONCE);
    const mark = clocks();
    const lanes = await claimLanes(db, worker.id, asked, busyUsers());
    pressed = lanes.length === asked;
    if (lanes.length === 0) return 0;
    for (const lane of lanes) held.set(lane.identityId, { lane, until: leaseFrom(mark, LEASE_MS) });
    const tasks = await loadTasks(db, sealer, lanes);
    const byLane = new Map(tasks.map((task) => [task.lane.identityId, task]));
    for (const lane of lanes) track(runLane(lane, byLane.get(lane.identityId) ?? null));
    return lanes.length;
  }

  /** Users who have their share of the slots; while nobody else is there, the rest of the slots stays free for others. */
  function busyUsers(): string[] {
    const counts = new Map<string, number>();
    for (const { lane } of held.values()) counts.set(lane.userId, (counts.get(lane.userId) ?? 0) + 1);
    const share = Math.max(4, Math.floor(options.slots / SHARE));
    return [...counts].flatMap(([user, count]) => (count >= share ? [user] : []));
  }

  function track(work: Promise<void>): void {
    const tracked = work
      .catch((error) => events.trouble('lane', error))
      .finally(() => {
        running.delete(tracked);
        if (mode === 'running' && pressed) wake();
      });
    running.add(tracked);
  }

  /** Advances what a lane has due. Under pressure one move, then the lane goes to the end of the queue. */
  async function runLane(lane: Lane, first: Task | null): Promise<void> {
    try {
      let task = first;
      while (task) {
        if (!(await moveOn(task, lane.crashedWith === task.target.id && task === first))) break;
        if (pressed || mode === 'draining' || mode === 'cut') break;
        const inHand = await nextInHand(db, lane);
        if (!inHand) break;
        [task = null] = await loadTasks(db, sealer, [{ ...lane, inHand, crashedWith: null }]);
      }
      await release(lane);
    } catch (error) {
      // The lane is left to its lease: what was in hand is looked at again when that is over.
      if (mode !== 'cut') events.trouble('lane', error);
    } finally {
      held.delete(lane.identityId);
    }
  }

  async function moveOn(task: Task, crashed: boolean): Promise<boolean> {
    const mover = moverFor(task);
    if (!crashed || task.target.state === 'committing') return advance(task, mover);
    return mover.commit(afterCrash(task.target, { now: mover.now(), random: options.random }));
  }

  function moverFor(task: Task): Mover {
    const entry = held.get(task.target.identityId);
    const now = () => task.readAt + (performance.now() - task.readMark);
    let current = task;
    const commit = async (transition: Transition, leaseMs?: number) => {
      const written = await writeSurely(current, transition, leaseMs ?? null, entry);
      if (!written) return false;
      events.moved(current, transition);
      current = { ...current, target: { ...transition.target, version: current.target.version + 1 } };
      return true;
    };
    return {
      sessions: options.sessions,
      http: options.http,
      now,
      random: options.random,
      commit,
      leaseLeftMs: () => (mode === 'draining' || mode === 'cut' || !entry ? 0 : leftMs(entry)),
      settleSend: (outcome, transition) => settleSend(() => current, commit, outcome, transition),
      minutesWithoutWorker: (since) => minutesWithoutWorker(db, since),
      media: (each) => mediaOf(each, options.storage),
      spend: async (connector, budget) => {
        if (options.countsBudgets(connector, task)) await spend(db, connector, budget, task.target.identityId);
      },
      limitReached: async (connector, failure) => {
        if (options.countsBudgets(connector, task))
          await closeBudgets(db, connector, failure.scope, failure.window, task.target.identityId, failure.waitMs);
      },
      onBug: (error) => events.bug(error, task.target.id),
    };
  }

  /**
   * Writes under the fence. When the answer to the write is lost, the row is read again until the lease ends: a step
   * that was written goes on, one that was not stops here.
   */
  async function writeSurely(
    task: Task,
    transition: Transition,
    leaseMs: number | null,
    entry: Held | undefined,
  ): Promise<boolean> {
    if (mode === 'cut') return false;
    const mark = clocks();
    const write = async () => {
      if (transition.target.state !== 'posted') return writeTarget(db, sealer, task, transition, leaseMs);
      const result = await writePosted(db, sealer, task, transition);
      if (result !== 'taken') return result === 'written';
      const why = 'The platform named a post that another one of ours is; looking again.';
      return writeTarget(
        db,
        sealer,
        task,
        becomeUnknown(task.target, why, {
          now: task.readAt + (performance.now() - task.readMark),
          random: options.random,
        }),
      );
    };
    try {
      if (!(await write())) return false;
    } catch (error) {
      if (!isAway(error)) throw error;
      if (!(await wasWritten(task, transition, entry))) return false;
    }
    if (leaseMs !== null && entry) entry.until = leaseFrom(mark, leaseMs);
    return true;
  }

  async function wasWritten(task: Task, transition: Transition, entry: Held | undefined): Promise<boolean> {
    while (mode !== 'cut' && entry && leftMs(entry) > 0) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      try {
        const row = await readVersion(db, task.target.id);
        return (
          row !== null &&
          row.version === task.target.version + 1 &&
          row.state === transition.target.state &&
          row.commitNumber === transition.target.commitNumber
        );
      } catch (error) {
        if (!isAway(error)) throw error;
      }
    }
    return false;
  }

  /** The outcome of a send is proof even when the lane is lost or the database is away: then it goes as evidence. */
  async function settleSend(
    current: () => Task,
    commit: (transition: Transition) => Promise<boolean>,
    outcome: SendOutcome,
    transition: Transition,
  ): Promise<boolean> {
    const task = current();
    try {
      if (await commit(transition)) return true;
    } catch (error) {
      events.trouble('outcome', error);
    }
    if (mode === 'cut') return false;
    const send = { targetId: task.target.id, commitNumber: task.target.commitNumber };
    if (outcome.came === 'done' && outcome.result.then === 'posted')
      await options.evidence.record({ ...send, proves: 'posted', published: outcome.result.published });
    else if (outcome.came === 'done' && outcome.result.then === 'confirming')
      await options.evidence.record({
        ...send,
        proves: 'accepted',
        checkpoint: outcome.result.checkpoint,
        sha256: task.media.sha256,
      });
    else if (outcome.came === 'void')
      await options.evidence.record({ ...send, proves: 'void', why: outcome.failure.detail });
    return false;
  }

  /** Lanes that end within one tick are given back together. */
  async function release(lane: Lane): Promise<void> {
    if (mode === 'cut') return;
    const done = new Promise<void>((resolve) => toRelease.push({ lane, done: resolve }));
    if (!releasing) {
      releasing = true;
      queueMicrotask(() => void releaseAll());
    }
    await done;
  }

  async function releaseAll(): Promise<void> {
    while (toRelease.length > 0) {
      const batch = toRelease.splice(0, 64);
      try {
        if (mode !== 'cut')
          await releaseLanes(
            db,
            batch.map((each) => each.lane),
          );
      } catch (error) {
        events.trouble('release', error);
      }
      for (const each of batch) each.done();
    }
    releasing = false;
  }

  async function renew(): Promise<void> {
    const entries = [...held.values()];
    if (entries.length === 0) return;
    const mark = clocks();
    const kept = await renewLanes(
      db,
      entries.map((entry) => entry.lane),
    );
    for (const entry of entries) {
      if (!kept.has(entry.lane.identityId)) entry.until = leaseFrom(mark, 0);
      else {
        const until = leaseFrom(mark, LEASE_MS);
        if (until.monotonic > entry.until.monotonic) entry.until = until;
      }
    }
  }

  function wake(): void {
    if (mode !== 'running') return;
    if (looking) {
      lookAgain = true;
      return;
    }
    looking = look()
      .catch((error) => {
        events.trouble('claim', error);
        return 0;
      })
      .finally(() => {
        looking = null;
        const again = lookAgain || (pressed && held.size < options.slots);
        lookAgain = false;
        if (again && mode === 'running') setImmediate(wake);
      });
  }

  const every = (ms: number, what: string, action: () => Promise<unknown>) => {
    let busy = false;
    const timer = setInterval(() => {
      if (busy || mode === 'cut') return;
      busy = true;
      action()
        .catch((error) => events.trouble(what, error))
        .finally(() => {
          busy = false;
        });
    }, ms);
    timer.unref();
    timers.push(timer);
  };

  return {
    async start() {
      await registerWorker(db, worker);
      await heartbeat(db, worker.id);
      await freeDeadLeases(db, worker);
      await options.evidence.readLeftOver();
      mode = 'running';
      every(LOOK_EVERY_MS, 'claim', async () => wake());
      every(RENEW_EVERY_MS, 'renew', renew);
      every(20_000, 'heartbeat', () => heartbeat(db, worker.id));
      every(60_000, 'repair', async () => {
        const repaired = await repairLanes(db);
        if (repaired > 0) events.lanesRepaired(repaired);
      });
      wake();
    },
    wake,
    async runUntilIdle() {
      let count = 0;
      for (;;) {
        const claimed = await look();
        await Promise.all([...running]);
        if (claimed === 0) return count;
        count += claimed;
      }
    },
    async drain(timeoutMs) {
      if (mode !== 'cut') mode = 'draining';
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, timeoutMs);
      });
      await Promise.race([Promise.all([looking, ...running]).then(() => Promise.all([...running])), limit]);
      clearTimeout(timer);
      for (const each of timers) clearInterval(each);
      if (mode !== 'cut') await signOff(db, worker.id).catch(() => {});
    },
    cut() {
      mode = 'cut';
      for (const each of timers) clearInterval(each);
    },
  };
}

function mediaOf(task: Task, storage: Storage): Media {
  const { facts, sha256, storageKey } = task.media;
  return {
    bytes: facts.bytes,
    sha256,
    mime: facts.mime,
    container: facts.container,
    durationMs: facts.durationMs,
    width: facts.width,
    height: facts.height,
    stream: (range) => storage.read(storageKey, range),
  };
}

function isAway(error: unknown): boolean {
  return error instanceof ReelayError && error.code === 'database_unavailable';
}
