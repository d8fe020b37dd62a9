import { ReelayError } from '../errors/reelay-error.ts';
import { errorMessage } from '../messages/error-texts.ts';
import { say } from '../messages/timeline.ts';
import { NetworkError } from '../outbound/http-client.ts';
import { unanswered } from '../outbound/no-response.ts';
import { type Failure, PlatformError } from '../outbound/platform-error.ts';
import type { Reason } from './events.ts';

/**
 * Converts anything that a connector threw to a failure with a message for the user. Unexpected errors count as
 * transient.
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof PlatformError) return error.failure;
  if (error instanceof NetworkError) return { kind: 'transient', detail: unanswered(error) };
  return { kind: 'transient', detail: say('platform_response_invalid') };
}

/**
 * Calls a connector and turns unexpected errors into PlatformErrors.
 * @throws PlatformError, ReelayError
 */
export async function asking<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof PlatformError || error instanceof ReelayError) throw error;
    throw new PlatformError(failureOf(error), { cause: error });
  }
}

/** Why connecting failed: the message for the user, and details for the log only. */
export function reasonFor(error: unknown): Reason {
  if (!(error instanceof PlatformError)) {
    const reason = error instanceof ReelayError ? error.said : errorMessage('internal_error');
    return { reason, status: error instanceof ReelayError ? error.status : 500, cause: error };
  }
  const { detail, platformCode, requestId, status } = error.failure;
  return { reason: detail, platformCode, requestId, status, cause: error.cause };
}
