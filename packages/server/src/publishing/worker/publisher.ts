/**
 * The publishing worker: claims due lanes, runs them and releases them. Any number of workers may share one database.
 * Every wait has a timeout: a promise that never settles must not stop claims, renewals or releases.
 */
import type { Database } from '../../db/database.ts';
import { settleWithin } from '../../errors/time-limit.ts';
import { MINUTE, SECOND } from '../../lib/time.ts';
import { withTimeout } from '../../lib/timeout.ts';
import type { PublisherEvents } from '../events.ts';
import type { EvidenceKeeper } from '../evidence.ts';
import { RENEW_EVERY_MS, repairLanes } from '../lanes.ts';
import { createLeases, type HeldLane } from '../leases.ts';
import { createOutages } from '../outages/outages.ts';
import { createWriter } from '../writer.ts';
import { createClaimer } from './claimer.ts';
import { createDispatcher } from './dispatcher.ts';
import { createHeartbeat } from './heartbeat.ts';
import { createLaneRunner, type LaneRunnerOptions } from './lane-runner.ts';
import { createLeaseRenewal } from './lease-renewal.ts';
import { createReleases } from './releases.ts';
import { createSlots } from './slots.ts';
import { createTimers } from './timers.ts';
import { longestStandstill } from './watchdog.ts';
import { freeDeadLeases, registerWorker, signOff, type WorkerIdentity } from './worker-identity.ts';

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
  /** ms since the machine started, including times in which it slept. */
  sinceBoot: () => number;
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
  /**
   * Ends pauses early on servers that work again, as the worker does every few seconds. For tests and tools.
   * @returns number of targets whose next try was moved forward
   */
  checkOutages(): Promise<number>;
  /** Claims nothing new, starts no irreversible call, and waits for work in progress. */
  drain(timeoutMs: number): Promise<void>;
  /** Stops at once, like a crash: nothing more is written or released. */
  abort(): void;
}

const POLL_EVERY_MS = SECOND;
const REPAIR_EVERY_MS = MINUTE;
const CHECK_OUTAGES_EVERY_MS = 5 * SECOND;
/** A thousand posts follow a probe in a few seconds, ten thousand in a minute. */
const CHECK_OUTAGES_WITHIN_MS = 2 * MINUTE;
const SIGN_OFF_WITHIN_MS = 2_000;

export function createPublisher(options: PublisherOptions): Publisher {
  const { db, monotonic, random, sessions, worker } = options;
  let mode: 'idle' | 'running' | 'draining' | 'aborted' = 'idle';
  const isAborted = () => mode === 'aborted';
  const isStopping = () => mode === 'draining' || mode === 'aborted';

  const leases = createLeases(options);
  const slots = createSlots(options.slots, leases);
  const releases = createReleases(db, isAborted, (error) => options.events.failed('release', error));
  const giveBack = (held: HeldLane) => {
    leases.drop(held);
    void releases.release(held.lane);
  };
  const outages = createOutages({
    db,
    random,
    nameOf: (platform) => sessions.connector(platform).name,
    wake: () => dispatcher.wake(),
  });
  const events: PublisherEvents = {
    ...options.events,
    moved(task, transition) {
      outages.moved(task, transition);
      options.events.moved(task, transition);
    },
  };
  const shared = { ...options, events, workerId: worker.id, leases, slots, releases, giveBack, isAborted, isStopping };
  const writer = createWriter(shared);
  const claimer = createClaimer(shared);
  const { beat, beatIfDue } = createHeartbeat({ ...shared, claimer });
  const runLane = createLaneRunner({ ...shared, writer, isPressed: slots.isPressed, beat });
  const renew = createLeaseRenewal({ ...shared, claimer });
  const isOpen = () => mode === 'running';
  const dispatcher = createDispatcher({ claimer, slots, runLane, events, isOpen, onFirstClaim: beatIfDue });
  const timers = createTimers(events.failed);

  async function repair(): Promise<void> {
    const count = await repairLanes(db);
    if (count > 0) events.lanesRepaired(count);
  }

  async function drained(): Promise<void> {
    const isBusy = () => slots.running().length > 0 || dispatcher.isBusy() || releases.pending() > 0;
    while (isBusy()) await Promise.race([...slots.ends(), new Promise((resolve) => setTimeout(resolve, 20))]);
  }

  function stopTimers(): void {
    dispatcher.stop();
    timers.stop();
  }

  return {
    async start() {
      await registerWorker(db, worker);
      await freeDeadLeases(db, worker);
      await options.evidence.readLeftOver();
      mode = 'running';
      timers.every(POLL_EVERY_MS, 'claim', async () => dispatcher.wake());
      // Must end before the next renewal, so that one renewal without a response does not let a lease expire.
      timers.every(RENEW_EVERY_MS, 'renew', renew, RENEW_EVERY_MS - 100);
      timers.every(POLL_EVERY_MS, 'heartbeat', beatIfDue);
      timers.every(REPAIR_EVERY_MS, 'repair', repair);
      timers.every(CHECK_OUTAGES_EVERY_MS, 'outages', outages.check, CHECK_OUTAGES_WITHIN_MS);
      dispatcher.wake();
    },
    wake: dispatcher.wake,
    status: () => ({
      lastClaimAgeMs: claimer.lastClaimAgeMs(),
      standstillSeconds: longestStandstill(leases.entries(), monotonic()),
    }),
    async runUntilIdle() {
      for (let count = 0; ; ) {
        const claimed = await dispatcher.dispatch();
        await Promise.all(slots.ends());
        if (claimed === 0) return count;
        count += claimed;
      }
    },
    checkOutages: outages.check,
    async drain(timeoutMs) {
      if (isAborted()) return;
      mode = 'draining';
      await withTimeout(timeoutMs, drained(), () => {});
      stopTimers();
      releases.stop();
      const signedOff = settleWithin(SIGN_OFF_WITHIN_MS, signOff(db, worker.id));
      await signedOff.catch((error) => events.failed('sign-off', error));
    },
    abort() {
      mode = 'aborted';
      stopTimers();
      releases.stop();
    },
  };
}
