/** Semaphores: limits of concurrent jobs whose slots are shared between keys, such as users. */

/** The slots that one key may use. */
export interface Semaphore {
  /** Runs the job when a slot is free. @throws the signal's reason if it aborts while waiting */
  run<T>(job: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export interface SharedSemaphore {
  /** Runs the job when it is the key's turn. @throws the signal's reason if it aborts while waiting */
  run<T>(key: string, job: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  of(key: string): Semaphore;
}

interface Entry {
  /** Slots in use. */
  held: number;
  /** In order of arrival. */
  waiting: Set<() => void>;
}

/**
 * Creates a semaphore. A free slot goes to the waiting key that uses the fewest slots; among those, to the one whose last
 * turn was the longest ago. So keys take turns, and every job gets its turn if all jobs end.
 * @param options.slots number of concurrent jobs, at least 1
 * @param options.share maximum slots of one key, even if others are free. Default: half, but at least 1
 */
export function createSharedSemaphore({ slots, share }: { slots: number; share?: number }): SharedSemaphore {
  let free = Math.max(1, slots);
  const maxHeld = Math.max(1, share ?? Math.floor(slots / 2));
  /** Keys with running or waiting jobs, ordered by the begin or end of their last job. */
  const entries = new Map<string, Entry>();

  function take(key: string, entry: Entry): void {
    free -= 1;
    entry.held += 1;
    moveToEnd(key, entry);
  }

  /** Of the turns. A key without running and waiting jobs is removed. */
  function moveToEnd(key: string, entry: Entry): void {
    entries.delete(key);
    if (entry.held > 0 || entry.waiting.size > 0) entries.set(key, entry);
  }

  function nextKey(): [string, Entry] | undefined {
    let next: [string, Entry] | undefined;
    for (const each of entries) {
      const { held, waiting } = each[1];
      if (waiting.size > 0 && held < maxHeld && held < (next?.[1].held ?? Number.POSITIVE_INFINITY)) next = each;
    }
    return next;
  }

  async function enter(key: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const entry = entries.get(key) ?? { held: 0, waiting: new Set() };
    // A key that waits while a slot is free has used up its share, so nobody is overtaken.
    if (free > 0 && entry.held < maxHeld) return take(key, entry);
    entries.set(key, entry);
    await new Promise<void>((resolve, reject) => {
      const grant = () => {
        signal?.removeEventListener('abort', giveUp);
        entry.waiting.delete(grant);
        resolve();
      };
      const giveUp = () => {
        entry.waiting.delete(grant);
        if (entry.held === 0 && entry.waiting.size === 0) entries.delete(key);
        reject(signal?.reason);
      };
      entry.waiting.add(grant);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Hands the slot over at once, so that no newcomer can overtake. */
  function leave(key: string): void {
    const entry = entries.get(key);
    if (!entry) throw new Error('A slot was released twice.');
    free += 1;
    entry.held -= 1;
    moveToEnd(key, entry);
    const [nextName, next] = nextKey() ?? [];
    if (nextName === undefined || !next) return;
    take(nextName, next);
    const [grant] = next.waiting;
    grant?.();
  }

  async function run<T>(key: string, job: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await enter(key, signal);
    try {
      return await job();
    } finally {
      leave(key);
    }
  }

  return { run, of: (key) => ({ run: (job, signal) => run(key, job, signal) }) };
}

/** Creates a semaphore with these slots (at least 1), first come, first served. */
export function createSemaphore(slots: number): Semaphore {
  return createSharedSemaphore({ slots, share: slots }).of('');
}

/** Creates a semaphore of the same number of slots for each key. */
export function createKeyedSemaphore(share = 1): SharedSemaphore {
  return createSharedSemaphore({ slots: Number.POSITIVE_INFINITY, share });
}
