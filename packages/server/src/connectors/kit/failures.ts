/** Constructors for {@link Failure}s. */
import type { Message } from '../../messages/message.ts';
import { say } from '../../messages/timeline.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';

type Rejected = Extract<Failure, { kind: 'rejected' }>;
type RateLimited = Extract<Failure, { kind: 'rateLimited' }>;

export const tokenExpired = (detail: Message): Failure => ({ kind: 'tokenExpired', detail });

export const reconnect = (detail: Message): Failure => ({ kind: 'reconnect', detail });

/** Appends the platform's own words to the message. @param words sanitized; "" if it has none */
export function withWords(failure: Failure, words: string): Failure {
  const reason = failure.detail;
  if (!words || reason.text.includes(words)) return failure;
  return { ...failure, detail: say('platform_says', { reason, words }) };
}

/** The platform reports that the user revoked the access. */
export const revoked = (detail: Message): Failure => ({ kind: 'reconnect', revoked: true, detail });

/** For a consent that lacks a permission. */
export const PERMISSION_MISSING = reconnect(say('permission_missing'));

export const setup = (detail: Message): Failure => ({ kind: 'setup', detail });

export const rejected = (what: Rejected['what'], detail: Message): Failure => ({ kind: 'rejected', what, detail });

/**
 * The platform has an error that may pass.
 * @param waitMs delay before the next attempt. Absent: the publisher's own growing delays, which end early when the
 *   platform publishes for others.
 */
export function transient(detail: Message, waitMs?: number): Failure {
  return { kind: 'transient', detail, ...(waitMs === undefined ? { cause: 'server' } : { waitMs }) };
}

/**
 * The platform refuses the request because it still processes the video.
 * @param waitMs delay before the next attempt. Absent: the publisher's own growing delays.
 */
export function stillProcessing(detail: Message, waitMs?: number): Failure {
  return { kind: 'transient', detail, isProcessing: true, ...(waitMs === undefined ? {} : { waitMs }) };
}

/** @param window `daily` extends the post's deadline, `rate` is a short wait */
export function rateLimited(
  scope: RateLimited['scope'],
  window: RateLimited['window'],
  waitMs: number,
  detail: Message,
): Failure {
  return { kind: 'rateLimited', waitMs, scope, window, detail };
}

/** Whether an error is a failure of one of these kinds. */
export function isFailure<Kind extends Failure['kind']>(
  error: unknown,
  ...kinds: Kind[]
): error is PlatformError & { failure: Failure & { kind: Kind } } {
  return error instanceof PlatformError && kinds.some((kind) => kind === error.failure.kind);
}

/** For `catch`: returns null for the failures that match. @throws any other error */
export function nullIf(matches: (failure: Failure) => boolean): (error: unknown) => null {
  return (error) => {
    if (error instanceof PlatformError && matches(error.failure)) return null;
    throw error;
  };
}
