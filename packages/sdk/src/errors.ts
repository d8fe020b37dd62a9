import type { components } from './generated/schema.ts';

/** What a limit of the plan was when it was reached. */
export type PlanLimit = NonNullable<components['schemas']['Error']['limit']>;

/** A request that came to nothing: refused by the service, or without any answer. */
export class ReelayApiError extends Error {
  /** Status of the answer; 0: there was none. */
  readonly status: number;
  /**
   * The service's own stable code. Beside those: `unreachable` (no answer), `redirected` (the service is at another
   * address), `not_reelay` (whoever answered is something else).
   */
  readonly code: string;
  /** Whole seconds to wait before trying again, where the answer says so. */
  readonly retryAfter: number | null;
  /** To be named when asking the operator. */
  readonly requestId: string | null;
  readonly limit: PlanLimit | null;

  constructor(
    message: string,
    given: {
      status: number;
      code: string;
      retryAfter?: number | null;
      requestId?: string | null;
      limit?: PlanLimit | null;
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
  }
}

/** Whether the same request may do better a little later: nobody answered, or the service was just not there. */
export function isPassing(error: unknown): error is ReelayApiError {
  if (!(error instanceof ReelayApiError) || error.code === 'storage_full') return false;
  return error.code === 'unreachable' || [502, 503, 504].includes(error.status);
}
