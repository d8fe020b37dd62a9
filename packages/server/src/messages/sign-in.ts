/** Messages of rejected sign-ups and sign-ins, by better-auth's codes. */
import { type Message, messagesOf } from './message.ts';

/** Our own rejections of sign-ups. */
export const SIGN_UP_MESSAGES = {
  SIGN_UP_CLOSED: 'Sign-up is closed.',
  SIGN_UP_TOKEN_NEEDED: 'The first sign-up requires {token}.',
  token_printed: 'the token that the service printed when it started',
  token_unavailable:
    'a token. Set PUBLIC_URL to the public address of the service, restart it, and use the token that it prints',
} as const;

export const signUpMessage = messagesOf(SIGN_UP_MESSAGES, {}, 'sign_up.');

/** Other rejections of sign-in: our own, and those of better-auth with its words. */
export const SIGN_IN_MESSAGES = {
  SECOND_FACTOR_REQUIRED: 'Enter the code of your authenticator app, or a backup code.',
  RESET_PASSWORD_DISABLED: 'This service cannot send mail. Ask the operator for a new password.',
  CODE_USED: 'This code or a later one was already used. Wait for the next one.',
  OPERATOR_NEEDED: 'You operate this service, and it has other users. Delete them first, with npx reelay users delete.',
  INVALID_TOKEN: 'This link was already used or has expired. Request a new one.',
  PASSKEY_REFUSED: 'The passkey was not accepted. Try again, or sign in with your password.',
  PASSKEYS_UNAVAILABLE: 'Passkeys need a host name and https, or localhost. Ask the operator to set PUBLIC_URL.',
  TOO_MANY_PASSKEYS: 'You have 20 passkeys. Remove one that you do not use.',
  UNKNOWN_PASSKEY: 'Passkey not found.',

  INVALID_EMAIL_OR_PASSWORD: 'Invalid email or password',
  INVALID_PASSWORD: 'Invalid password',
  USER_ALREADY_EXISTS: 'User already exists.',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'User already exists. Use another email.',
  FAILED_TO_CREATE_USER: 'Failed to create user',
  FAILED_TO_CREATE_SESSION: 'Failed to create session',
  CREDENTIAL_ACCOUNT_NOT_FOUND: 'Credential account not found',
  SESSION_EXPIRED: 'Session expired. Re-authenticate to perform this action.',
  INVALID_ORIGIN: 'Invalid origin',
  MISSING_OR_NULL_ORIGIN: 'Missing or null Origin',
  CROSS_SITE_NAVIGATION_LOGIN_BLOCKED: 'Cross-site navigation login blocked. This request appears to be a CSRF attack.',
  TOTP_NOT_ENABLED: 'TOTP not enabled',
  TOTP_ALREADY_ENABLED: 'TOTP is already enabled',
  TWO_FACTOR_NOT_ENABLED: "Two factor isn't enabled",
  BACKUP_CODES_NOT_ENABLED: "Backup codes aren't enabled",
  INVALID_BACKUP_CODE: 'Invalid backup code',
  INVALID_CODE: 'The code is wrong or has expired.',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Too many attempts. Please request a new code.',
  ACCOUNT_TEMPORARILY_LOCKED:
    'Too many failed verification attempts. Your account is temporarily locked. Please try again later.',
  INVALID_TWO_FACTOR_COOKIE: 'Unknown or expired sign-in. Start again.',
  ACCOUNT_SUSPENDED: 'This user is suspended.',
} as const;

export const signInMessage = messagesOf(SIGN_IN_MESSAGES, {}, 'sign_in.');

/** The message for one of better-auth's codes, if it is known. */
export function libraryMessage(code: unknown): Message | null {
  const isKnown = typeof code === 'string' && Object.hasOwn(SIGN_IN_MESSAGES, code);
  return isKnown ? signInMessage(code as keyof typeof SIGN_IN_MESSAGES) : null;
}
