/** A better-auth route that the service exposes. */
import type { z } from 'zod';

/** Base path of these routes. */
export const AUTH_PATH = '/api/auth';

/** Name of the session cookie; over HTTPS it has the prefix `__Host-`. */
export const SESSION_COOKIE = 'reelay.session_token';

/** Whether a Cookie header has a session. The session may have ended. */
export const hasSessionCookie = (cookie: string | undefined): boolean =>
  /(^|[\s;])(__Host-)?reelay\.session_token=/.test(cookie ?? '');

export type Guard =
  | 'signIn'
  | 'signUp'
  | 'changePassword'
  /** Requires a session and its password. */
  | 'confirmPassword'
  /** Requires a session and its password, which the service verifies itself. */
  | 'changePasskeys'
  /** Requires a session and its password. Handled by the service, not by better-auth. */
  | 'deleteUser'
  /** The second factor: a code of an authenticator app, or a backup code. */
  | 'oneTimeCode'
  | 'backupCode'
  /** Issues a challenge to a visitor. */
  | 'passkeyChallenge'
  | 'passkey'
  /** Requires a session, and a challenge that was issued for its password. */
  | 'addPasskey'
  | 'requestReset'
  | 'resetPassword';

export interface AuthRoute {
  method: 'GET' | 'POST';
  /** Relative to {@link AUTH_PATH}. */
  path: string;
  body: z.ZodType<Record<string, unknown>>;
  /** Which rate limit and which steps apply; null: none. */
  guards: Guard | null;
  /** Audit action of a success in a session. */
  action?: string;
  /** Whether a trigger of the database queues a mail to the user in the transaction of the change. */
  mails?: true;
}
