/** Sign-up, sign-in and sessions with better-auth, on our own tables. Loaded on first use, because it takes 60 MB. */
import { betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { ERRORS } from '../errors/reelay-error.ts';
import type { Log } from '../lib/log.ts';
import { originsOf } from './origins.ts';
import { CHALLENGE_MINUTES, DAY_S, IDLE_DAYS, LOCK_MINUTES, RESET_MINUTES, SESSION_DAYS } from './session-life.ts';
import type { VersionedSecret } from './session-secrets.ts';

export interface AuthOptions {
  config: Pick<Config, 'publicUrl' | 'httpsOnly' | 'defaultPlan'>;
  /** The first signs cookies and encrypts second factors; the others only decrypt. */
  secrets: VersionedSecret[];
  /** Its connections have the schema `auth` first in their search path. */
  pool: pg.Pool;
  log: Log;
  /** Mails a link that replaces the password; null: not possible. */
  resets: { sendLink(user: { id: string; email: string }, token: string): Promise<void> } | null;
  /** Default: better-auth's scrypt. */
  passwords?: PasswordHashing | undefined;
}

/** Hashes passwords and compares them with a hash. */
export interface PasswordHashing {
  hash(password: string): Promise<string>;
  verify(given: { hash: string; password: string }): Promise<boolean>;
}

/** The configuration of better-auth. Also used by the test that compares its tables with ours. */
export function authSettings(options: AuthOptions) {
  const { config, log } = options;
  const times = { createdAt: 'created_at', updatedAt: 'updated_at' };
  return {
    appName: 'Reelay',
    baseURL: config.publicUrl,
    basePath: '/api/auth',
    secrets: options.secrets,
    database: {
      // Only better-auth uses Kysely; our own SQL is plain text.
      db: new Kysely<Record<string, never>>({ dialect: new PostgresDialect({ pool: options.pool }) }),
      type: 'postgres' as const,
      // Without this, a sign-up that fails halfway leaves a partial user.
      transaction: true,
    },
    trustedOrigins: originsOf(config.publicUrl),
    // The length is checked earlier, in characters; better-auth counts UTF-16 code units.
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 1,
      maxPasswordLength: 256,
      ...(options.passwords ? { password: options.passwords } : {}),
      ...(options.resets ? { sendResetPassword: sendWith(options.resets) } : {}),
      resetPasswordTokenExpiresIn: RESET_MINUTES * 60,
      revokeSessionsOnPasswordReset: true,
    },
    user: {
      fields: { emailVerified: 'email_verified', ...times },
      additionalFields: {
        plan: { type: 'string' as const, input: false, defaultValue: config.defaultPlan },
        zone: { type: 'string' as const, input: false, defaultValue: 'UTC' },
        late: { type: 'string' as const, input: false, defaultValue: 'post' },
        operator: { type: 'boolean' as const, input: false, defaultValue: false },
        suspended: { type: 'boolean' as const, input: false, defaultValue: false },
      },
    },
    session: {
      fields: {
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        userId: 'user_id',
        ...times,
      },
      // For the cookie. An unused session's row expires earlier: see session-life.ts.
      expiresIn: SESSION_DAYS * DAY_S,
      disableSessionRefresh: true,
    },
    account: {
      fields: {
        accountId: 'account_id',
        providerId: 'provider_id',
        userId: 'user_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        ...times,
      },
    },
    // Hashed, so that a reader of the database cannot use the links.
    verification: { storeIdentifier: 'hashed' as const, fields: { expiresAt: 'expires_at', ...times } },
    advanced: {
      // A test compares its tables with ours. It would read the whole schema at the first request of each process.
      database: { generateId: 'uuid' as const, validateSchema: false },
      cookiePrefix: 'reelay',
      // better-auth would use the prefix __Secure-, which other hosts of the domain can set.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: config.httpsOnly },
      ...(config.httpsOnly
        ? {
            cookies: {
              session_token: { name: '__Host-reelay.session_token' },
              two_factor: { name: '__Host-reelay.two_factor' },
              dont_remember: { name: '__Host-reelay.dont_remember' },
            },
          }
        : {}),
      ipAddress: { ipAddressHeaders: ['x-client-ip'] },
      // Set explicitly, because better-auth's default depends on NODE_ENV.
      disableOriginCheck: false,
      disableCSRFCheck: false,
    },
    // We use our own rate limit, which is exact and shared by all nodes.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: {
      // better-auth's messages contain client input and, after database errors, whole rows. Only the fact is logged.
      log: (level: string) => {
        if (level === 'error') log.warn({ part: 'sign-in' }, 'the sign-in library reported an error');
      },
    },
    // Errors thrown here reach our caller. Otherwise better-auth would print them, including row values.
    onAPIError: {
      onError: (error: unknown) => {
        if (!(error instanceof APIError)) throw error;
      },
      // Replaces better-auth's error page, which echoes text from the request. Its route is not served either.
      errorURL: config.publicUrl,
    },
    plugins: [secondFactor()],
    databaseHooks: { session: { create: { before: beginSession } } },
  };
}

/** The second factor. Its failures are counted for each account, in all its sign-ins. */
function secondFactor() {
  return twoFactor({
    issuer: 'Reelay',
    twoFactorTable: 'two_factor',
    accountLockout: { maxFailedAttempts: 10, durationSeconds: LOCK_MINUTES * 60 },
    twoFactorCookieMaxAge: CHALLENGE_MINUTES * 60,
    schema: {
      user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
      twoFactor: {
        fields: {
          backupCodes: 'backup_codes',
          userId: 'user_id',
          failedVerificationCount: 'failed_verification_count',
          lockedUntil: 'locked_until',
        },
      },
    },
  });
}

function sendWith({ sendLink }: NonNullable<AuthOptions['resets']>) {
  return ({ user, token }: { user: { id: string; email: string }; token: string }) => sendLink(user, token);
}

export function createAuth(options: AuthOptions) {
  return betterAuth(authSettings(options));
}

export type Auth = ReturnType<typeof createAuth>;

/** Rejects suspended users; otherwise sets the session's idle expiry. */
async function beginSession(
  session: { userId: string },
  context: { context: { internalAdapter: { findUserById(id: string): Promise<unknown> } } } | null,
) {
  const user = await context?.context.internalAdapter.findUserById(session.userId);
  if ((user as { suspended?: boolean } | null)?.suspended)
    throw new APIError('FORBIDDEN', { code: 'ACCOUNT_SUSPENDED', message: ERRORS.account_suspended[1] });
  return { data: { ...session, expiresAt: new Date(Date.now() + IDLE_DAYS * DAY_S * 1000) } };
}
