/** Explicit garbage collection, for moments V8 cannot know. */
export interface Collector {
  /** Collects the young generation: about 1 ms. */
  young(): void;
  /** Collects everything twice, and gives free memory back to the system: about 100 ms. */
  all(): void;
}

/** Does nothing in a process that was started without `--expose-gc`. */
export function createCollector(): Collector {
  const collect = globalThis.gc;
  if (!collect) return { young() {}, all() {} };
  return {
    young: () => collect({ type: 'minor' }),
    // An ordinary collection keeps the pages of the young generation for later.
    all: () => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
  };
}

/**
 * Collects buffers during uploads. Buffer memory is outside V8's heap, which hardly grows and so is rarely collected:
 * an upload leaves about 60 MB of unused chunks. Call the result with the length of every chunk. Collecting in time is
 * also faster, because the same memory is reused, and because V8 marks the whole heap when it finds many young buffers.
 */
export function collectAfter(collector: Collector): (bytes: number) => void {
  let since = 0;
  return (bytes) => {
    since += bytes;
    if (since < OFTEN_ENOUGH) return;
    since = 0;
    collector.young();
  };
}

/** In bytes. At 8 MB, one process in four marked its whole heap every 70 ms during an upload. */
const OFTEN_ENOUGH = 3 * 1024 * 1024;
