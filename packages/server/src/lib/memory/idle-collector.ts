/** Collects garbage when idle. Without it, V8 keeps the memory of a burst indefinitely. */

/** Minimum idle time, in ms. */
const IDLE_MS = 5_000;

/**
 * Collects once, five idle seconds after the last call of `busy`, when the pause of about 100 ms affects no request.
 * @param collect runs the collection
 */
export function createIdleCollector(collect: () => void): { busy(): void; stop(): void } {
  let timer: NodeJS.Timeout | null = null;
  return {
    busy() {
      timer ??= setTimeout(() => {
        timer = null;
        collect();
      }, IDLE_MS).unref();
      timer.refresh();
    },
    stop() {
      if (timer) clearTimeout(timer);
    },
  };
}
