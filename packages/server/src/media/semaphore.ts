/** Lets at most so many jobs run at once; the others wait in order of arrival. */
export interface Semaphore {
  /** Runs the job when a place is free. Throws the signal's reason when it fires while waiting. */
  run<T>(job: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** Makes a semaphore with `places` places (at least 1). */
export function createSemaphore(places: number): Semaphore {
  let free = Math.max(1, places);
  const waiting = new Set<() => void>();

  async function enter(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const grant = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        waiting.delete(grant);
        reject(signal?.reason);
      };
      waiting.add(grant);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  function leave(): void {
    const [next] = waiting;
    if (next === undefined) {
      free += 1;
      return;
    }
    // The place is handed over without becoming free, so that nobody who comes just now can overtake.
    waiting.delete(next);
    next();
  }

  return {
    async run(job, signal) {
      await enter(signal);
      try {
        return await job();
      } finally {
        leave();
      }
    },
  };
}
