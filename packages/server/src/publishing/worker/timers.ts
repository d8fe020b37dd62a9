/** Repeated actions. An action that is still running is not started again. */
import { settleWithin } from '../../errors/time-limit.ts';

export interface Timers {
  /** @param limitMs an action that takes longer counts as failed, so that it does not prevent the next one */
  every(ms: number, name: string, action: () => Promise<unknown>, limitMs?: number): void;
  stop(): void;
}

const WITHIN_MS = 15_000;

export function createTimers(onError: (name: string, error: unknown) => void): Timers {
  const timers: NodeJS.Timeout[] = [];
  return {
    every(ms, name, action, limitMs = WITHIN_MS) {
      let busy = false;
      const timer = setInterval(() => {
        if (busy) return;
        busy = true;
        settleWithin(limitMs, action())
          .catch((error) => onError(name, error))
          .finally(() => {
            busy = false;
          });
      }, ms);
      timers.push(timer);
    },
    stop() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}
