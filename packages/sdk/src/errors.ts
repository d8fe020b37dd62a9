import type { components } from './generated/schema.ts';

/** The state of a plan limit when it was reached. */
export type PlanLimit = NonNullable<components['schemas']['Error']['limit']>;

/** A field of the request, such as `options.quietHours.from`, and what is wrong with it. */
export type FieldProblem = NonNullable<components['schemas']['Error']['field']>;

/** A failed request: rejected by the service, or without a response. */
export class ReelayApiError extends Error {
  /** Status of the response; 0 without a response. */
  readonly status: number;
  /**
   * The service's stable error code, or one of: `unreachable` (no response), `redirected` (the service has another
   * URL), `not_reelay` (the response is not from Reelay).
   */
  readonly code: string;
  /** Whole seconds to wait before retrying, if the response specifies it. */
  readonly retryAfter: number | null;
  /** Quote it when you contact the operator. */
  readonly requestId: string | null;
  readonly limit: PlanLimit | null;
  /** The field that is invalid, if it is one. */
  readonly field: FieldProblem | null;

  constructor(
    message: string,
    given: {
      status: number;
      code: string;
      retryAfter?: number | null;
      requestId?: string | null;
      limit?: PlanLimit | null;
      field?: FieldProblem | null;
      cause?: unknown;
    },
  ) {
    super(message, { cause: given.cause });
    this.name = 'ReelayApiError';
    this.status = given.status;
    this.code = given.code;
    this.retryAfter = given.retryAfter ?? null;
    this.requestId = given.requestId ?? null;
    this.limit = given.limit ?? null;
    this.field = given.field ?? null;
  }
}

/**
 * Whether the service refused the request for good. A rate limit is not final, nor is an earlier request with the same key
 * that may still run.
 */
export function isFinal(error: unknown): boolean {
  if (!(error instanceof ReelayApiError) || error.status < 400 || error.status >= 500) return false;
  return error.code !== 'idempotency_in_progress' && error.code !== 'rate_limited';
}

/** Whether a proxy before the service refused the request because of its size. */
export function isTooLargeForProxy(error: unknown): error is ReelayApiError {
  return error instanceof ReelayApiError && error.code === 'not_reelay' && error.status === 413;
}

/** Whether a retry may succeed: there was no response, or the service was temporarily unavailable. */
export function isPassing(error: unknown): error is ReelayApiError {
  if (!(error instanceof ReelayApiError) || error.code === 'storage_full') return false;
  return error.code === 'unreachable' || [502, 503, 504].includes(error.status);
}
