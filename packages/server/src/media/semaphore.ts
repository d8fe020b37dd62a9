/** A semaphore with first-come, first-served waiting. */
export interface Semaphore {
  /** Runs the job when a slot is free. @throws the signal's reason if it aborts while waiting */
  run<T>(job: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** Creates a semaphore with this many slots (at least 1). */
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
    // The slot is handed over without becoming free, so that no newcomer can overtake.
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

/** A semaphore of one slot for each key. */
export interface KeyedSemaphore {
  run<T>(key: string, job: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** Creates a semaphore of one slot for each key. */
export function createKeyedSemaphore(): KeyedSemaphore {
  const keys = new Map<string, { own: Semaphore; jobs: number }>();
  return {
    async run(key, job, signal) {
      const entry = keys.get(key) ?? { own: createSemaphore(1), jobs: 0 };
      keys.set(key, entry);
      entry.jobs += 1;
      try {
        return await entry.own.run(job, signal);
      } finally {
        entry.jobs -= 1;
        if (entry.jobs === 0) keys.delete(key);
      }
    },
  };
}
