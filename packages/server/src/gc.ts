import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** V8's collector, for moments of which V8 cannot know. */
export interface Collector {
  /** What was made lately: a millisecond. */
  young(): void;
  /** Everything: some 100 ms. */
  all(): void;
}

export function createCollector(): Collector {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') return { young() {}, all() {} };
  return { young: () => collect({ type: 'minor' }), all: () => collect() };
}

/**
 * The bytes of buffers lie outside V8's heap, which hardly grows by them and so is seldom collected: behind an upload some
 * 60 MB of chunks pile up that nobody uses any more. Called with the length of every chunk, this has them collected in
 * time, which is also quicker, because the same memory is used again.
 */
export function collectBehind(collector: Collector): (bytes: number) => void {
  let since = 0;
  return (bytes) => {
    since += bytes;
    if (since < OFTEN_ENOUGH) return;
    since = 0;
    collector.young();
  };
}

const OFTEN_ENOUGH = 8 * 1024 * 1024;
