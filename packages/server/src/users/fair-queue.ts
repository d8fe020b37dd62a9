/** A bounded queue that is fair between keys (round robin, longest queue drop). */
import { ReelayError } from '../errors/reelay-error.ts';

export interface FairQueue {
  /**
   * Runs the job when it is the key's turn.
   * @throws ReelayError `busy` if the queue is full
   */
  run<T>(key: string, job: () => Promise<T>): Promise<T>;
}

interface Waiter {
  start(): void;
  drop(): void;
}

/**
 * Creates a queue. When it is full, the key with the most waiting jobs loses its newest job to a key with fewer.
 * @param options.places number of jobs that run concurrently
 * @param options.capacity number of jobs that may wait
 */
export function createFairQueue({ places, capacity }: { places: number; capacity: number }): FairQueue {
  let free = places;
  let size = 0;
  /** Ordered by turn. */
  const waiting = new Map<string, Waiter[]>();

  function longest(): [string, Waiter[]] | undefined {
    let found: [string, Waiter[]] | undefined;
    for (const entry of waiting) if (!found || entry[1].length > found[1].length) found = entry;
    return found;
  }

  function makeRoom(key: string): void {
    const [other, queue] = longest() ?? [key, []];
    if (queue.length <= (waiting.get(key)?.length ?? 0) + 1) throw new ReelayError('busy');
    queue.pop()?.drop();
    size -= 1;
    if (queue.length === 0) waiting.delete(other);
  }

  async function enter(key: string): Promise<void> {
    if (free > 0) {
      free -= 1;
      return;
    }
    if (size >= capacity) makeRoom(key);
    size += 1;
    await new Promise<void>((resolve, reject) => {
      const queue = waiting.get(key) ?? [];
      queue.push({ start: resolve, drop: () => reject(new ReelayError('busy')) });
      waiting.set(key, queue);
    });
  }

  /** Hands the place to the next key without freeing it, so that a new job cannot jump the queue. */
  function leave(): void {
    const [next] = waiting;
    if (!next) {
      free += 1;
      return;
    }
    const [key, queue] = next;
    const waiter = queue.shift();
    waiting.delete(key);
    if (queue.length > 0) waiting.set(key, queue);
    size -= 1;
    waiter?.start();
  }

  return {
    async run(key, job) {
      await enter(key);
      try {
        return await job();
      } finally {
        leave();
      }
    },
  };
}
