/** The better-auth routes that the service exposes, each with its body schema. */
import { z } from 'zod';
import { issue } from '../messages/fields.ts';

/** Base path of these routes. */
export const AUTH_PATH = '/api/auth';

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
  /** Mail to the user after a success. */
  mail?: 'passkey_added' | 'second_factor_disabled' | 'backup_codes_created';
}

/** Text that the database can store, of at most `max` UTF-16 code units. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((given) => given.isWellFormed() && !given.includes('\0'), issue('not_text'));
const email = text(254).pipe(z.email());
/** Twice the maximum password length, because a character may take two UTF-16 code units. */
const password = text(256).min(1);
const nothing = z.strictObject({});

/** What a browser returns for a challenge (WebAuthn, `PublicKeyCredential.toJSON`). better-auth checks the content. */
const base64url = z
  .string()
  .max(8_192)
  .regex(/^[\w-]*$/);
const credential = <Shape extends z.ZodRawShape>(response: Shape) =>
  z.object({
    id: base64url.min(1).max(1_400),
    rawId: base64url.max(1_400),
    type: z.literal('public-key'),
    response: z.object({ clientDataJSON: base64url, ...response }),
    clientExtensionResults: z.object({}).optional().default({}),
    authenticatorAttachment: z.enum(['platform', 'cross-platform']).nullish(),
  });
const registered = credential({
  attestationObject: base64url,
  transports: z.array(z.string().max(20)).max(10).optional(),
});
const asserted = credential({
  authenticatorData: base64url,
  signature: base64url,
  userHandle: base64url.nullish(),
});

export const AUTH_ROUTES: readonly AuthRoute[] = [
  {
    method: 'POST',
    path: '/sign-up/email',
    body: z.strictObject({ email, password, name: text(100) }),
    guards: 'signUp',
  },
  {
    method: 'POST',
    path: '/sign-in/email',
    body: z.strictObject({ email, password, rememberMe: z.boolean().optional() }),
    guards: 'signIn',
  },
  {
    method: 'POST',
    path: '/change-password',
    body: z.strictObject({
      currentPassword: password,
      newPassword: password,
      revokeApiKey: z.boolean().optional(),
      /** Default: false. */
      revokePasskeys: z.boolean().optional(),
      // Other sessions always end; clients of better-auth may send this field anyway.
      revokeOtherSessions: z.boolean().optional(),
    }),
    guards: 'changePassword',
    action: 'password.change',
  },
  { method: 'POST', path: '/request-password-reset', body: z.strictObject({ email }), guards: 'requestReset' },
  {
    method: 'POST',
    path: '/reset-password',
    body: z.strictObject({
      token: text(100),
      newPassword: password,
      revokeApiKey: z.boolean().optional(),
      /** Default: false, because who resets a password may have lost it to somebody else. */
      keepPasskeys: z.boolean().optional(),
    }),
    guards: 'resetPassword',
  },
  { method: 'POST', path: '/delete-user', body: z.strictObject({ password }), guards: 'deleteUser' },
  { method: 'POST', path: '/two-factor/enable', body: z.strictObject({ password }), guards: 'confirmPassword' },
  {
    method: 'POST',
    path: '/two-factor/disable',
    body: z.strictObject({ password }),
    guards: 'confirmPassword',
    action: 'second-factor.disable',
    mail: 'second_factor_disabled',
  },
  {
    method: 'POST',
    path: '/two-factor/generate-backup-codes',
    body: z.strictObject({ password }),
    guards: 'confirmPassword',
    action: 'second-factor.codes',
    mail: 'backup_codes_created',
  },
  {
    method: 'POST',
    path: '/two-factor/verify-totp',
    body: z.strictObject({ code: text(20) }),
    guards: 'oneTimeCode',
    action: 'second-factor.enable',
  },
  {
    method: 'POST',
    path: '/two-factor/verify-backup-code',
    body: z.strictObject({ code: text(40) }),
    guards: 'backupCode',
  },
  {
    method: 'POST',
    path: '/passkey/generate-register-options',
    body: z.strictObject({ password }),
    guards: 'changePasskeys',
  },
  {
    method: 'POST',
    path: '/passkey/verify-registration',
    body: z.strictObject({ response: registered }),
    guards: 'addPasskey',
    action: 'passkey.add',
    mail: 'passkey_added',
  },
  { method: 'POST', path: '/passkey/generate-authenticate-options', body: nothing, guards: 'passkeyChallenge' },
  {
    method: 'POST',
    path: '/passkey/verify-authentication',
    body: z.strictObject({ response: asserted }),
    guards: 'passkey',
  },
  {
    method: 'POST',
    path: '/passkey/delete-passkey',
    body: z.strictObject({ id: text(36), password }),
    guards: 'changePasskeys',
    action: 'passkey.remove',
  },
  { method: 'POST', path: '/sign-out', body: nothing, guards: null },
  { method: 'GET', path: '/get-session', body: nothing, guards: null },
  { method: 'POST', path: '/revoke-sessions', body: nothing, guards: null },
  { method: 'POST', path: '/revoke-other-sessions', body: nothing, guards: null },
];
