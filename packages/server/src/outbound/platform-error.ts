import type { Message } from '../messages/message.ts';

/**
 * What lets a call fail that may succeed later. `connection`: no response arrived. `server`: the platform answered with an
 * error of its own.
 */
export type FailureCause = 'connection' | 'server';

/** The closed set of platform failures. Each connector maps its platform's responses to these. */
export type Failure = {
  /** A message for the user, without secrets. */
  detail: Message;
  /** The platform's own error code. */
  platformCode?: string;
  /** The platform's request id, for its support. */
  requestId?: string;
  /** HTTP status of the response. */
  status?: number;
} & (
  | { kind: 'tokenExpired' }
  /** `revoked`: the platform reports that the user revoked the access. */
  | { kind: 'reconnect'; revoked?: true }
  /**
   * `maxBytes`: the platform would accept a file of this size, which is smaller than the account's limit says. Before a
   * send, the engine stores the limit and starts over with a file that meets it.
   */
  | {
      kind: 'rejected';
      what: 'video' | 'caption' | 'policy' | 'duplicate' | 'permission' | 'other';
      maxBytes?: number;
    }
  /** `daily`: a known window of the platform, which extends the deadline. `rate`: a short wait. */
  | { kind: 'rateLimited'; waitMs: number; scope: 'account' | 'app'; window: 'rate' | 'daily' }
  | { kind: 'setup' }
  /**
   * Without `cause`, a platform that answers others says nothing about the next try. `isProcessing`: the platform still
   * processes the video, which is usual for some minutes.
   */
  | { kind: 'transient'; waitMs?: number; cause?: FailureCause; isProcessing?: true }
  | { kind: 'unknownOutcome' }
);

/** Thrown by connectors. Contains nothing that must stay hidden from the user. */
export class PlatformError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, options: { cause?: unknown } = {}) {
    super(failure.detail.text, options);
    this.name = 'PlatformError';
    this.failure = failure;
  }
}

/** Thrown by `session.spend`. The target waits until the budget refills. */
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
