/** The closed set of what can go wrong at a platform. Every connector brings its platform's answers to these, once. */
export type Failure = {
  /** A sentence for the user, without secrets. */
  detail: string;
  /** The platform's own code. */
  platformCode?: string;
  /** The platform's id of the request, for its support. */
  requestId?: string;
  /** HTTP status of the answer. */
  status?: number;
} & (
  | { kind: 'tokenExpired' }
  /** `revoked`: the platform says that the access was taken away there. */
  | { kind: 'reconnect'; revoked?: true }
  | { kind: 'rejected'; what: 'video' | 'caption' | 'policy' | 'duplicate' | 'permission' | 'other' }
  /** `daily` is a known window of the platform that moves the deadline; `rate` is a short wait. */
  | { kind: 'rateLimited'; waitMs: number; scope: 'account' | 'app'; window: 'rate' | 'daily' }
  | { kind: 'setup' }
  | { kind: 'transient'; waitMs?: number }
  | { kind: 'unknownOutcome' }
);

/** Thrown by connectors; carries nothing that may not be shown. */
export class PlatformError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, options: { cause?: unknown } = {}) {
    super(failure.detail, options);
    this.name = 'PlatformError';
    this.failure = failure;
  }
}

/** Thrown by `session.spend`: the target waits until the budget refills. */
export class BudgetEmpty extends Error {
  readonly budget: string;
  readonly waitMs: number;
  readonly window: 'rate' | 'daily';

  constructor(budget: string, waitMs: number, window: 'rate' | 'daily') {
    super(`The budget "${budget}" is used up.`);
    this.name = 'BudgetEmpty';
    this.budget = budget;
    this.waitMs = waitMs;
    this.window = window;
  }
}
