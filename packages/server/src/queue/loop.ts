/** Polls for due work every second, or at once when woken, with limited concurrency. */
import { MINUTE } from '../lib/time.ts';
import { withTimeout } from '../lib/timeout.ts';
import { areUsedUp, type Holder, type Limits, limitsOf } from './shares.ts';
import type { PartStatus } from './status.ts';

export interface DueLoop {
  start(): void;
  /** Polls now instead of at the next second. */
  wake(): void;
  /** Claims once and runs the claimed jobs to their end. @returns number of claimed jobs */
  runOnce(): Promise<number>;
  /** Whether it works: claims succeed, or all slots are busy with jobs that may still run. */
  status(): PartStatus;
  /** Stops claiming and waits for running jobs. */
  stop(): Promise<void>;
}

export interface DueLoopOptions<Job> {
  /** @param limits what the jobs in progress leave to each user; only if `holder` is given */
  claim(limit: number, limits: Limits): Promise<Job[]>;
  /** Whose job it is. Absent: nobody's; the slots are not shared. */
  holder?(job: Job): Holder;
  /** Maximum slots of one user. Default: a quarter, but at least four. */
  share?: number;
  /** Runs one job to its end. Errors are passed to `onError`; the job's lease decides when it is retried. */
  run(job: Job): Promise<void>;
  concurrency: number;
  /** Housekeeping, once at the start and then at intervals, beside the claims: they do not wait for a slow one. */
  chore?: { everyMs: number; run(): Promise<unknown> };
  onError(error: unknown): void;
  /** Polling interval in ms. Default: 1,000. */
  everyMs?: number;
  /** Timeout of a claim in ms; rows it may still claim are left to their lease. Default: 30,000. */
  claimWithinMs?: number;
  /**
   * Total time of a job in ms, after which it should have ended itself. One that runs longer is overdue: it is reported
   * once.
   */
  withinMs: number;
  /** Resolves after `ms` or when the signal is aborted. Tests provide their own. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** ms of a monotonic clock. */
  clock?: () => number;
}

/** Maximum backoff in ms, unless the polling interval is longer. */
const MAX_BACKOFF_MS = 30_000;
const CLAIM_WITHIN_MS = 30_000;
/** A chore that failed is repeated after this time, in ms. */
const CHORE_RETRY_MS = 10_000;
/** A loop that cannot claim for this long counts as stuck. */
const STUCK_MS = MINUTE;

/**
 * A loop over one kind of due rows. After failed polls (the database is unavailable) it backs off exponentially, up to
 * 30 s.
 */
export function createDueLoop<Job>(options: DueLoopOptions<Job>): DueLoop {
  const { everyMs = 1_000, claimWithinMs = CLAIM_WITHIN_MS, withinMs } = options;
  const { pause = pauseFor, clock = () => performance.now() } = options;
  const active = new Map<Promise<void>, { since: number; reported: boolean; holder: Holder | null }>();
  let nap: { controller: AbortController; failed: boolean } | null = null;
  let woken = false;
  /** Whether the last claim got as many jobs as it asked for, or users have their share, so that more may be due. */
  let mayBeMore = false;
  let turning: Promise<void> | null = null;
  let stopped = false;
  /** Time of the last claim, or of the last poll at which all slots were busy and not all jobs overdue. */
  let claimedAt = clock();

  let choreAt = Number.NEGATIVE_INFINITY;
  let chores: Promise<void> | null = null;

  const wake = () => {
    woken = true;
    // More due work must not make it poll an unavailable database more often.
    if (nap && !nap.failed) nap.controller.abort();
  };
  const run = (job: Job) => {
    const done = Promise.resolve()
      .then(() => options.run(job))
      .catch(options.onError)
      .finally(() => {
        active.delete(done);
        // Also while a claim runs: it has asked for fewer jobs than there is room for by now.
        if (mayBeMore) wake();
      });
    active.set(done, { since: clock(), reported: false, holder: options.holder?.(job) ?? null });
    return done;
  };
  const overdue = () => [...active.values()].filter(({ since }) => clock() - since > withinMs);
  const limits = () => {
    const holders = [...active.values()].flatMap(({ holder }) => holder ?? []);
    return limitsOf(options.concurrency, holders, options.share);
  };
  const tooLong = (): never => {
    throw new Error(`The claim did not return within ${Math.round(claimWithinMs / 1_000)} s.`);
  };
  const claimDue = async () => {
    const room = options.concurrency - active.size;
    if (room > 0) {
      const jobs = await withTimeout(claimWithinMs, options.claim(room, limits()), tooLong);
      for (const job of jobs) run(job);
      mayBeMore = jobs.length >= room || areUsedUp(limits());
    }
    const late = overdue();
    if (room > 0 || late.length < options.concurrency) claimedAt = clock();
    for (const job of late.filter(({ reported }) => !reported)) {
      job.reported = true;
      options.onError(new Error(`A job has been running for more than ${Math.round(withinMs / MINUTE)} minutes.`));
    }
  };
  const doChore = async ({ everyMs: interval, run: work }: NonNullable<typeof options.chore>) => {
    choreAt = clock() + interval;
    try {
      await work();
      wake();
    } catch (error) {
      choreAt = clock() + Math.min(interval, CHORE_RETRY_MS);
      options.onError(error);
    }
  };
  const startChore = () => {
    if (options.chore && !chores && clock() >= choreAt)
      chores = doChore(options.chore).finally(() => {
        chores = null;
      });
    return chores;
  };
  const turn = async () => {
    for (let failures = 0; !stopped; ) {
      woken = false;
      void startChore();
      try {
        await claimDue();
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
      await startChore();
      const jobs = await options.claim(options.concurrency, limits());
      await Promise.all(jobs.map(run));
      return jobs.length;
    },
    status() {
      const silentMs = turning && !stopped ? clock() - claimedAt : 0;
      const late = overdue().length;
      const slots = `${late} of ${options.concurrency} slots overdue`;
      const isStuck = silentMs > Math.max(STUCK_MS, 4 * everyMs);
      if (isStuck && late < options.concurrency)
        return { ok: false, detail: `no successful claim for ${Math.round(silentMs / 1_000)} s` };
      return { ok: !isStuck, detail: late > 0 ? slots : 'ok' };
    },
    async stop() {
      stopped = true;
      nap?.controller.abort();
      await turning;
      await chores;
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
