/** The routes of the sign-in library that the service offers, each with the form of its body. */
import { z } from 'zod';

/** Path of all of them. */
export const AUTH_PATH = '/api/auth';

export interface AuthRoute {
  method: 'GET' | 'POST';
  /** Below {@link AUTH_PATH}. */
  path: string;
  body: z.ZodType<Record<string, unknown>>;
  /** What it is to the limits: a password is guessed at, a user is made, or neither. */
  guards: 'signIn' | 'signUp' | 'changePassword' | null;
}

/** Text that a database can hold, of at most `max` UTF-16 code units. */
const text = (max: number) =>
  z
    .string()
    .max(max, `must have at most ${max} characters`)
    .refine((given) => given.isWellFormed() && !given.includes('\0'), 'must be well-formed text without U+0000');
const email = text(254).pipe(z.email('must be an email address'));
/** Twice the longest password: a character may take two code units. */
const password = text(256).min(1, 'must not be empty');
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
      // Other sessions always end; clients of the library may say so.
      revokeOtherSessions: z.boolean().optional(),
    }),
    guards: 'changePassword',
  },
  { method: 'POST', path: '/sign-out', body: nothing, guards: null },
  { method: 'GET', path: '/get-session', body: nothing, guards: null },
  { method: 'GET', path: '/list-sessions', body: nothing, guards: null },
  { method: 'POST', path: '/revoke-session', body: z.strictObject({ token: text(200) }), guards: null },
  { method: 'POST', path: '/revoke-sessions', body: nothing, guards: null },
  { method: 'POST', path: '/revoke-other-sessions', body: nothing, guards: null },
];
