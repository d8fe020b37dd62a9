/** Why a target is tried again after a failure that may pass. Pure. */
import { MINUTE } from '../lib/time.ts';
import type { Failure, FailureCause } from '../outbound/platform-error.ts';
import type { Target } from './target.ts';
import type { Moment, Reason } from './transitions.ts';

/** How long in ms after the first call a platform that still processes the video is usual. Then it is trouble. */
const USUAL_PROCESSING_MS = 15 * MINUTE;

/** The reason that is recorded as the target's trouble. */
export function whyRetried(failure: Failure): Reason {
  return {
    code: failure.kind === 'rateLimited' ? 'platform_limit_reached' : 'platform_unavailable',
    reason: failure.detail,
    platformCode: failure.platformCode,
    cause: causeOf(failure),
  };
}

export function causeOf(failure: Failure): FailureCause | undefined {
  return failure.kind === 'transient' ? failure.cause : undefined;
}

/** Whether the target only waits for the platform to process the video. */
export function isUsualProcessing(target: Target, failure: Failure, { now }: Moment): boolean {
  if (failure.kind !== 'transient' || !failure.isProcessing) return false;
  return now < (target.begunAt ?? now) + USUAL_PROCESSING_MS;
}
