/** Gives memory back after a burst: V8 keeps for good what a burst took, unless it is told to collect. */

/** So long must nothing have happened. */
const IDLE_MS = 5_000;

/**
 * Collects once, five idle seconds after the last time `busy` was called; the pause of some 100 ms hits nobody then.
 * @param collect what is done then
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
