/** The better-auth routes that the service exposes, each with its body schema. */
import { z } from 'zod';
import { fieldProblem } from '../messages/errors.ts';

/** Base path of these routes. */
export const AUTH_PATH = '/api/auth';

export type Guard =
  | 'signIn'
  | 'signUp'
  | 'changePassword'
  /** Requires a session and its password. */
  | 'confirmPassword'
  /** Requires a session and its password. Handled by the service, not by better-auth. */
  | 'deleteUser'
  | 'secondFactor'
  | 'requestReset'
  | 'resetPassword';

export interface AuthRoute {
  method: 'GET' | 'POST';
  /** Relative to {@link AUTH_PATH}. */
  path: string;
  body: z.ZodType<Record<string, unknown>>;
  /** Which rate limit applies: password guesses, new users, mails, or none. */
  guards: Guard | null;
}

/** Text that the database can store, of at most `max` UTF-16 code units. */
const text = (max: number) =>
  z
    .string()
    .max(max, fieldProblem('too_long', { limit: max }).text)
    .refine((given) => given.isWellFormed() && !given.includes('\0'), fieldProblem('not_text').text);
const email = text(254).pipe(z.email(fieldProblem('not_email').text));
/** Twice the maximum password length, because a character may take two UTF-16 code units. */
const password = text(256).min(1, fieldProblem('empty').text);
const nothing = z.strictObject({});

export const AUTH_ROUTES: readonly AuthRoute[] = [
  {
    method: 'POST',
    path: '/sign-up/email',
    body: z.strictObject({ email, password, name: text(100) }),
    guards: 'signUp',
  },
  { method: 'POST', path: '/sign-in/email', body: z.strictObject({ email, password }), guards: 'signIn' },
  {
    method: 'POST',
    path: '/change-password',
    body: z.strictObject({
      currentPassword: password,
      newPassword: password,
      revokeApiKey: z.boolean().optional(),
      // Other sessions always end; clients of better-auth may send this field anyway.
      revokeOtherSessions: z.boolean().optional(),
    }),
    guards: 'changePassword',
  },
  { method: 'POST', path: '/request-password-reset', body: z.strictObject({ email }), guards: 'requestReset' },
  {
    method: 'POST',
    path: '/reset-password',
    body: z.strictObject({ token: text(100), newPassword: password, revokeApiKey: z.boolean().optional() }),
    guards: 'resetPassword',
  },
  { method: 'POST', path: '/delete-user', body: z.strictObject({ password }), guards: 'deleteUser' },
  { method: 'POST', path: '/two-factor/enable', body: z.strictObject({ password }), guards: 'confirmPassword' },
  { method: 'POST', path: '/two-factor/disable', body: z.strictObject({ password }), guards: 'confirmPassword' },
  {
    method: 'POST',
    path: '/two-factor/generate-backup-codes',
    body: z.strictObject({ password }),
    guards: 'confirmPassword',
  },
  { method: 'POST', path: '/two-factor/verify-totp', body: z.strictObject({ code: text(20) }), guards: 'secondFactor' },
  {
    method: 'POST',
    path: '/two-factor/verify-backup-code',
    body: z.strictObject({ code: text(40) }),
    guards: 'secondFactor',
  },
  { method: 'POST', path: '/sign-out', body: nothing, guards: null },
  { method: 'GET', path: '/get-session', body: nothing, guards: null },
  { method: 'GET', path: '/list-sessions', body: nothing, guards: null },
  { method: 'POST', path: '/revoke-session', body: z.strictObject({ token: text(200) }), guards: null },
  { method: 'POST', path: '/revoke-sessions', body: nothing, guards: null },
  { method: 'POST', path: '/revoke-other-sessions', body: nothing, guards: null },
];
