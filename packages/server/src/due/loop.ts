/** Runs what is due: looks every second, at once when woken, and never at more than so many things at a time. */
import { withTimeout } from '../timeout.ts';
import type { PartStatus } from './status.ts';

export interface DueLoop {
  start(): void;
  /** Looks now instead of at the next second. */
  wake(): void;
  /** One look: claims once, runs what was claimed to its end. @returns how many were claimed */
  runOnce(): Promise<number>;
  /** Whether it still works: claims succeed, and not every slot is held by a job that does not end. */
  status(): PartStatus;
  /** Claims nothing more and waits for what is running. */
  stop(): Promise<void>;
}

export interface DueLoopOptions<Job> {
  claim(limit: number): Promise<Job[]>;
  /** One job to its end. What it throws is told to `onError`; its lease decides when it is tried again. */
  run(job: Job): Promise<void>;
  concurrency: number;
  onError(error: unknown): void;
  /** Between two looks, in ms; 1,000 when absent. */
  everyMs?: number;
  /** A claim that takes longer is given up, and what it may still claim is left to its lease, in ms; 30,000 when absent. */
  claimWithinMs?: number;
  /** A job that runs longer is reported, once, in ms; 15 minutes when absent. */
  overdueMs?: number;
  /** Resolves after so many ms or when the signal is aborted, whichever comes first. Tests give their own. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds of a clock that only runs forward. */
  clock?: () => number;
}

/** Longest pause after failures, in ms, unless the loop's own interval is longer. */
const MAX_BACKOFF_MS = 30_000;
const CLAIM_WITHIN_MS = 30_000;
const OVERDUE_MS = 900_000;
/** Without a successful claim for so long a loop counts as stuck. */
const STUCK_MS = 60_000;

/** A loop over one kind of due rows. After failures (the database is away) it backs off exponentially, up to 30 s. */
export function createDueLoop<Job>(options: DueLoopOptions<Job>): DueLoop {
  const { everyMs = 1_000, claimWithinMs = CLAIM_WITHIN_MS, overdueMs = OVERDUE_MS } = options;
  const { pause = pauseFor, clock = () => performance.now() } = options;
  const active = new Map<Promise<void>, { since: number; reported: boolean }>();
  let nap: { controller: AbortController; failed: boolean } | null = null;
  let woken = false;
  let turning: Promise<void> | null = null;
  let stopped = false;
  /** When it last claimed, or had no slot to claim for. */
  let claimedAt = clock();

  const wake = () => {
    woken = true;
    // A database that is away is not asked more often because there is more to do.
    if (nap && !nap.failed) nap.controller.abort();
  };
  const run = (job: Job) => {
    const done = Promise.resolve()
      .then(() => options.run(job))
      .catch(options.onError)
      .finally(() => {
        const full = active.size === options.concurrency;
        active.delete(done);
        if (full) wake();
      });
    active.set(done, { since: clock(), reported: false });
    return done;
  };
  const overdue = () => [...active.values()].filter(({ since }) => clock() - since > overdueMs);
  const tooLong = (): never => {
    throw new Error(`The claim did not return within ${Math.round(claimWithinMs / 1_000)} s.`);
  };
  const look = async () => {
    const room = options.concurrency - active.size;
    if (room > 0) for (const job of await withTimeout(claimWithinMs, options.claim(room), tooLong)) run(job);
    claimedAt = clock();
    for (const job of overdue().filter(({ reported }) => !reported)) {
      job.reported = true;
      options.onError(new Error(`A job has been running for more than ${Math.round(overdueMs / 60_000)} minutes.`));
    }
  };
  const turn = async () => {
    for (let failures = 0; !stopped; ) {
      woken = false;
      try {
        await look();
        failures = 0;
      } catch (error) {
        failures++;
        options.onError(error);
      }
      if (stopped || (woken && failures === 0)) continue;
      nap = { controller: new AbortController(), failed: failures > 0 };
      await pause(Math.min(everyMs * 2 ** failures, Math.max(everyMs, MAX_BACKOFF_MS)), nap.controller.signal);
      nap = null;
    }
  };
  return {
    start() {
      claimedAt = clock();
      turning ??= turn();
    },
    wake,
    async runOnce() {
      const jobs = await options.claim(options.concurrency);
      await Promise.all(jobs.map(run));
      return jobs.length;
    },
    status() {
      const silentMs = turning && !stopped ? clock() - claimedAt : 0;
      const late = overdue().length;
      if (silentMs > Math.max(STUCK_MS, 4 * everyMs))
        return { ok: false, detail: `no successful claim for ${Math.round(silentMs / 1_000)} s` };
      const detail = late > 0 ? `${late} of ${options.concurrency} slots overdue` : 'ok';
      return { ok: late < options.concurrency, detail };
    },
    async stop() {
      stopped = true;
      nap?.controller.abort();
      await turning;
      await Promise.all(active.keys());
    },
  };
}

function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const over = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    signal.addEventListener('abort', over, { once: true });
  });
}
