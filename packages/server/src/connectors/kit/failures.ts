/** Constructors for {@link Failure}s. */
import type { Failure } from '../../outbound/platform-error.ts';

type Rejected = Extract<Failure, { kind: 'rejected' }>;
type RateLimited = Extract<Failure, { kind: 'rateLimited' }>;

export const tokenExpired = (detail: string): Failure => ({ kind: 'tokenExpired', detail });

export const reconnect = (detail: string): Failure => ({ kind: 'reconnect', detail });

/** The platform reports that the user revoked the access. */
export const revoked = (detail: string): Failure => ({ kind: 'reconnect', revoked: true, detail });

/** For a consent that lacks a permission. */
export const PERMISSION_MISSING = reconnect(
  'A permission is missing. Connect the account again and leave all allowed.',
);

export const setup = (detail: string): Failure => ({ kind: 'setup', detail });

export const rejected = (what: Rejected['what'], detail: string): Failure => ({ kind: 'rejected', what, detail });

/** @param waitMs delay before the next attempt. Absent: the publisher's own growing delays. */
export function transient(detail: string, waitMs?: number): Failure {
  return { kind: 'transient', detail, ...(waitMs === undefined ? {} : { waitMs }) };
}

/** @param window `daily` extends the post's deadline, `rate` is a short wait */
export function rateLimited(
  scope: RateLimited['scope'],
  window: RateLimited['window'],
  waitMs: number,
  detail: string,
): Failure {
  return { kind: 'rateLimited', waitMs, scope, window, detail };
}
