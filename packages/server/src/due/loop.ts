/** Runs what is due: looks every second, at once when woken, and never at more than so many things at a time. */
export interface DueLoop {
  start(): void;
  /** Looks now instead of at the next second. */
  wake(): void;
  /** One look: claims once, runs what was claimed to its end. @returns how many were claimed */
  runOnce(): Promise<number>;
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
  /** Resolves after so many ms or when the signal is aborted, whichever comes first. Tests give their own. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const MOST_BACK_OFF = 30;

/** A loop over one kind of due rows. Looks that fail (the database is away) come at growing distances, at most 30 s. */
export function createDueLoop<Job>(options: DueLoopOptions<Job>): DueLoop {
  const everyMs = options.everyMs ?? 1_000;
  const pause = options.pause ?? pauseFor;
  const active = new Set<Promise<void>>();
  let nap: { controller: AbortController; failed: boolean } | null = null;
  let woken = false;
  let turning: Promise<void> | null = null;
  let stopped = false;

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
    active.add(done);
    return done;
  };
  const look = async () => {
    const room = options.concurrency - active.size;
    if (room > 0) for (const job of await options.claim(room)) run(job);
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
      await pause(everyMs * Math.min(2 ** failures, MOST_BACK_OFF), nap.controller.signal);
      nap = null;
    }
  };
  return {
    start() {
      turning ??= turn();
    },
    wake,
    async runOnce() {
      const jobs = await options.claim(options.concurrency);
      await Promise.all(jobs.map(run));
      return jobs.length;
    },
    async stop() {
      stopped = true;
      nap?.controller.abort();
      await turning;
      await Promise.all(active);
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
