/** A pool of identical worlds, so that cases run concurrently: each world is lent to one case at a time. */
import { createWorld, type World, type WorldOptions } from './world.ts';

export interface Worlds {
  /** Runs a case in an unused world, on an account with access. Waits if all worlds are in use. */
  run<T>(work: (world: World) => Promise<T>): Promise<T>;
  /** All worlds created so far; they are created on demand. */
  all(): Promise<World[]>;
  close(): Promise<void>;
}

/** @param most maximum number of worlds */
export function createWorlds(options: WorldOptions, most: number): Worlds {
  const made: Promise<World>[] = [];
  const free: World[] = [];
  const waiting: ((world: World) => void)[] = [];
  const borrow = (): World | Promise<World> => {
    const idle = free.pop();
    if (idle) return idle;
    if (made.length === most) return new Promise((resolve) => waiting.push(resolve));
    const fresh = createWorld(options);
    made.push(fresh);
    return fresh;
  };
  return {
    async run(work) {
      const world = await borrow();
      try {
        await world.renew();
        return await work(world);
      } finally {
        const next = waiting.shift();
        if (next) next(world);
        else free.push(world);
      }
    },
    all: () => Promise.all(made),
    async close() {
      const ended: PromiseSettledResult<void>[] = [];
      for (const world of await Promise.allSettled(made))
        if (world.status === 'fulfilled') ended.push(...(await Promise.allSettled([world.value.close()])));
      for (const end of ended) if (end.status === 'rejected') throw end.reason;
    },
  };
}
