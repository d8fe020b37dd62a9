/** Calls `tick` every `ms` milliseconds until the returned function is called. */
export type Every = (ms: number, tick: () => void) => () => void;

/** The real clock. It does not keep the process alive. */
export const everyInterval: Every = (ms, tick) => {
  const timer = setInterval(tick, ms);
  timer.unref();
  return () => clearInterval(timer);
};

/** Minimum upload rate (bytes/s), measured per window. The first window is exempt. */
export const SLOWEST = { bytesPerSecond: 16_000, windowMs: 20_000 } as const;

export interface SpeedGuard {
  count(bytes: number): void;
  stop(): void;
}

/**
 * Calls `onSlow` after a whole window below {@link SLOWEST}. A window in which the service asked the sender to pause
 * (`wasPaused`) does not count.
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
