/**
 * The worker: claims due lanes, advances what they have in hand, gives them back. A value with start, drain and cut;
 * any number of them may run over one database.
 */
import { buffer } from 'node:stream/consumers';
import type { Container, Media } from '../connectors/contract.ts';
import type { ManagedHttp } from '../connectors/kit/http.ts';
import type { Database } from '../db/database.ts';
import { orderRendition } from '../renditions/store.ts';
import type { Sealer } from '../seal.ts';
import type { Storage } from '../storage/contract.ts';
import { pictureKey } from '../storage/pictures.ts';
import { advance, type Mover } from './advance.ts';
import { type BudgetHolder, closeBudgets, spend } from './budgets.ts';
import { afterCrash } from './decide.ts';
import type { EvidenceKeeper } from './evidence.ts';
import { claimLanes, type Lane, nextInHand, RENEW_EVERY_MS, repairLanes } from './lanes.ts';
import { createLeases } from './leases.ts';
import { createReleases } from './releases.ts';
import type { SessionSource } from './sessions.ts';
import { loadTasks, minutesWithoutWorker, type Task, textsInDoubt } from './store.ts';
import type { Transition } from './target.ts';
import { freeDeadLeases, heartbeat, registerWorker, signOff, type WorkerIdentity } from './worker-identity.ts';
import { createWriter } from './writer.ts';

/** What happens inside a worker, for logs and metrics. */
export interface PublisherEvents {
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
  /** The client for real platforms, or the one that may also reach our own simulators. */
  http: (sandbox: boolean) => ManagedHttp;
  /** The address at which a platform fetches the video of a target. @param until ms since the epoch */
  link: (targetId: string, container: Container, until: number) => string;
  evidence: EvidenceKeeper;
  worker: WorkerIdentity;
  events: PublisherEvents;
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
  /** One look: claims what is due and advances it until nothing is due any more. For tests and tools. @returns lanes claimed */
  runUntilIdle(): Promise<number>;
  /** Takes nothing new, begins nothing irreversible, and waits for what is under way. */
  drain(timeoutMs: number): Promise<void>;
  /** Stops at once, as a crash would: nothing more is written or released. */
  cut(): void;
}

const LOOK_EVERY_MS = 1_000;
const HEARTBEAT_EVERY_MS = 20_000;
const REPAIR_EVERY_MS = 60_000;
const CLAIM_AT_ONCE = 32;
/**
 * While more lanes wait than there are slots, a claim for one free slot costs as much as one for many: it waits until so
 * many are free, or so many ms.
 */
const WORTH_A_CLAIM = 16;
const COMPANY_MS = 10;
/** A user takes at most this part of a worker's slots, but always four. */
const USER_SHARE = 0.25;

export function createPublisher(options: PublisherOptions): Publisher {
  const { db, sealer, events, worker } = options;
  let mode: 'idle' | 'running' | 'draining' | 'cut' = 'idle';
  const isCut = () => mode === 'cut';
  const leases = createLeases(options);
  const releases = createReleases(db, isCut, (error) => events.trouble('release', error));
  const writer = createWriter({ ...options, leases, isCut });
  const running = new Set<Promise<void>>();
  const timers: NodeJS.Timeout[] = [];
  const share = Math.max(4, Math.floor(options.slots * USER_SHARE));
  /** The last claim took all that it asked for: more lanes are waiting. */
  let pressed = false;
  let looking = false;
  let lookAgain = false;
  let soon: NodeJS.Timeout | null = null;

  async function look(): Promise<number> {
    const asked = Math.min(options.slots - leases.count(), CLAIM_AT_ONCE);
    if (asked <= 0) return 0;
    const mark = leases.mark();
    const lanes = await claimLanes(db, worker.id, asked, leases.usersWith(share));
    pressed = lanes.length === asked;
    for (const lane of lanes) leases.hold(lane, mark);
    if (lanes.length === 0) return 0;
    const tasks = await loadTasks(db, sealer, lanes);
    const byLane = new Map(tasks.map((task) => [task.lane.identityId, task]));
    for (const lane of lanes) track(runLane(lane, byLane.get(lane.identityId)));
    return lanes.length;
  }

  function track(work: Promise<void>): void {
    const tracked = work.finally(() => {
      running.delete(tracked);
      if (pressed) wakeSoon();
    });
    running.add(tracked);
  }

  function wakeSoon(): void {
    const free = options.slots - leases.count();
    if (free >= Math.min(WORTH_A_CLAIM, options.slots)) wake();
    else if (free > 0) soon ??= setTimeout(wake, COMPANY_MS);
  }

  /** Advances what a lane has due. While others wait: one move, then the lane goes to the end of the queue. */
  async function runLane(lane: Lane, first: Task | undefined): Promise<void> {
    try {
      let task = first;
      while (task) {
        const crashed = task === first && lane.crashedWith === task.target.id;
        if (!(await move(task, crashed))) break;
        if (pressed || mode === 'draining' || mode === 'cut') break;
        const inHand = await nextInHand(db, lane);
        if (!inHand) break;
        [task] = await loadTasks(db, sealer, [{ ...lane, inHand, crashedWith: null }]);
      }
      await releases.release(lane);
    } catch (error) {
      // The lane is left to its lease: what was in hand is looked at again when that is over.
      if (!isCut()) events.trouble('lane', error);
    } finally {
      leases.drop(lane.identityId);
    }
  }

  async function move(task: Task, crashed: boolean): Promise<boolean> {
    const mover = moverFor(task);
    if (!crashed || task.target.state === 'committing') return advance(task, mover);
    // Counting the crash is a move of its own: a target that brings its worker down is put off before it is touched.
    return mover.commit(afterCrash(task.target, { now: mover.now(), random: options.random }));
  }

  function moverFor(task: Task): Mover {
    const held = leases.get(task.target.identityId);
    let current = task;
    const commit = async (transition: Transition, leaseMs?: number) => {
      if (!(await writer.write(current, transition, held, leaseMs ?? null))) return false;
      events.moved(current, transition);
      current = { ...current, target: { ...transition.target, version: current.target.version + 1 } };
      return true;
    };
    return {
      sessions: options.sessions,
      http: options.http,
      now: () => task.readAt + (performance.now() - task.readMark),
      random: options.random,
      commit,
      leaseLeftMs: () => (mode === 'draining' || mode === 'cut' || !held ? 0 : leases.leftMs(held)),
      async settleSend(outcome, transition) {
        try {
          if (await commit(transition)) return true;
        } catch (error) {
          events.trouble('outcome', error);
        }
        await writer.keep(current, outcome);
        return false;
      },
      order: (wanted) => orderRendition(db, task.media.id, wanted),
      textsInDoubt: () => textsInDoubt(db, current.target),
      minutesWithoutWorker: (since) => minutesWithoutWorker(db, since),
      media: (each) => mediaOf(each, options),
      spend: (connector, budget) => spend(db, connector, budget, holderOf(task)),
      limitReached: (connector, failure) =>
        closeBudgets(db, connector, failure.scope, failure.window, holderOf(task), failure.waitMs),
      onBug: (error) => events.bug(error, task.target.id),
    };
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
    void look()
      .catch((error) => events.trouble('claim', error))
      .finally(() => {
        looking = false;
        const again = lookAgain;
        lookAgain = false;
        if (again) setImmediate(wake);
        else if (pressed) wakeSoon();
      });
  }

  function every(ms: number, what: string, action: () => Promise<unknown>): void {
    let busy = false;
    const timer = setInterval(() => {
      if (busy) return;
      busy = true;
      action()
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

  return {
    async start() {
      await registerWorker(db, worker);
      await heartbeat(db, worker.id);
      await freeDeadLeases(db, worker);
      await options.evidence.readLeftOver();
      mode = 'running';
      every(LOOK_EVERY_MS, 'claim', async () => wake());
      every(RENEW_EVERY_MS, 'renew', () => leases.renew(db));
      every(HEARTBEAT_EVERY_MS, 'heartbeat', () => heartbeat(db, worker.id));
      every(REPAIR_EVERY_MS, 'repair', async () => {
        const count = await repairLanes(db);
        if (count > 0) events.lanesRepaired(count);
      });
      wake();
    },
    wake,
    async runUntilIdle() {
      for (let count = 0; ; ) {
        const claimed = await look();
        await Promise.all([...running]);
        if (claimed === 0) return count;
        count += claimed;
      }
    },
    async drain(timeoutMs) {
      if (isCut()) return;
      mode = 'draining';
      await within(timeoutMs, async () => {
        while (running.size > 0 || looking) await Promise.race([...running, tick()]);
      });
      stopTimers();
      await signOff(db, worker.id).catch((error) => events.trouble('sign-off', error));
    },
    cut() {
      mode = 'cut';
      stopTimers();
    },
  };
}

const tick = () => new Promise<void>((resolve) => setTimeout(resolve, 20));

async function within(ms: number, work: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work(), limit]);
  clearTimeout(timer);
}

function holderOf({ account, target }: Task): BudgetHolder {
  return { accountId: account.id, identityId: target.identityId, service: account.service };
}

/** Platforms that fetch do so within minutes; a day is what they ask for. */
const LINK_LIFE_MS = 25 * 3_600_000;

function mediaOf(task: Task, { storage, link }: Pick<PublisherOptions, 'storage' | 'link'>): Media {
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
    link: () => link(task.target.id, facts.container, task.readAt + LINK_LIFE_MS),
    async cover() {
      const picture = await storage.read(pictureKey(task.media.thumbnail));
      return { mime: 'image/jpeg', bytes: await buffer(picture) };
    },
  };
}
