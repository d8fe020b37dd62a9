/** Gives memory back after a burst: V8 keeps for good what a burst took, unless it is told to collect. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** So long must nothing have happened. */
const IDLE_MS = 5_000;

/**
 * Collects once, five idle seconds after the last time `busy` was called; the pause of some 100 ms hits nobody then.
 * @param collect for tests
 */
export function createIdleCollector(collect: () => void = collector()): { busy(): void; stop(): void } {
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

function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  return typeof collect === 'function' ? () => collect() : () => {};
}
