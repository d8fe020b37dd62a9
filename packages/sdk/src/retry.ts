/** Retries of requests that are safe to repeat. */
import type { ReelayApiError } from './errors.ts';
import type { Pause } from './transport.ts';

export interface Retry {
  /** Why the last attempt failed. */
  error: ReelayApiError;
  /** Delay before the next attempt, in ms. */
  delayMs: number;
}

export interface RetryOptions {
  /** Called before every retry. */
  onRetry?: (retry: Retry) => void;
  signal?: AbortSignal;
}

/** Delays between attempts, in ms. Together two minutes, enough for a restart or an update of the service. */
const RETRY_DELAYS = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 30_000, 30_000] as const;

export interface Retries {
  /**
   * Waits before the next attempt.
   * @throws the error itself if it is final or there were too many attempts
   */
  after(error: unknown): Promise<void>;
  /** Resets the number of attempts to zero. */
  reset(): void;
}

/**
 * @param policy.mayPass returns whether to retry after an error
 * @param policy.maxDelayMs maximum delay that a response may ask for
 * @param policy.atOnce makes the first retry without a delay
 */
export function createRetries(
  pause: Pause,
  policy: { mayPass: (error: unknown) => error is ReelayApiError; maxDelayMs: number; atOnce?: boolean },
  { onRetry, signal }: RetryOptions,
): Retries {
  const delays = policy.atOnce ? [0, ...RETRY_DELAYS] : RETRY_DELAYS;
  let failures = 0;
  return {
    async after(error) {
      const delay = delays[failures++];
      if (!policy.mayPass(error) || delay === undefined) throw error;
      const delayMs = Math.min(Math.max(delay, (error.retryAfter ?? 0) * 1_000), policy.maxDelayMs);
      onRetry?.({ error, delayMs });
      await pause(delayMs, signal);
    },
    reset() {
      failures = 0;
    },
  };
}
