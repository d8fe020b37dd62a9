/** Calls `tick` every `ms` milliseconds until the answered function is called. */
export type Every = (ms: number, tick: () => void) => () => void;

/** The real clock. It does not keep the process alive. */
export const everyInterval: Every = (ms, tick) => {
  const timer = setInterval(tick, ms);
  timer.unref();
  return () => clearInterval(timer);
};

/** Slowest upload that is borne, in bytes per second, measured over windows of so many ms; the first one is its grace. */
export const SLOWEST = { bytesPerSecond: 16_000, windowMs: 20_000 } as const;

export interface SpeedGuard {
  count(bytes: number): void;
  stop(): void;
}

/**
 * Calls `onSlow` after a whole window with less than {@link SLOWEST}. A window in which the service itself asked the
 * sender to pause (`wasPaused`) is not held against him.
 */
export function guardSpeed(every: Every, wasPaused: () => boolean, onSlow: () => void): SpeedGuard {
  let seen = 0;
  const stop = every(SLOWEST.windowMs, () => {
    const slow = seen < (SLOWEST.bytesPerSecond * SLOWEST.windowMs) / 1000;
    seen = 0;
    if (slow && !wasPaused()) onSlow();
  });
  return {
    count: (bytes) => {
      seen += bytes;
    },
    stop,
  };
}
