/** Sign-up, sign-in and sessions by better-auth, on tables of our own. Loaded when first needed: it takes 60 MB. */
import { timingSafeEqual } from 'node:crypto';
import { betterAuth } from 'better-auth';
import { APIError, createAuthMiddleware } from 'better-auth/api';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { type Config, isLoopback } from '../config/config.ts';
import type { Log } from '../log.ts';
import { SIGN_UP_CLOSED } from './sign-in.ts';

export interface AuthOptions {
  config: Pick<Config, 'publicUrl' | 'httpsOnly' | 'signup' | 'defaultPlan'>;
  /** Signs cookies. */
  secret: string;
  /** Its connections find the schema `auth` first. */
  pool: pg.Pool;
  log: Log;
  anyUser(): Promise<boolean>;
  /** What the first sign-up must carry. */
  firstToken(): Promise<string>;
}

/** Header of the first sign-up where the service is reached from elsewhere. */
export const FIRST_TOKEN_HEADER = 'x-reelay-sign-up-token';

/** What better-auth is told; also for the test that compares its tables with ours. */
export function authSettings(options: AuthOptions) {
  const { config, log } = options;
  const times = { createdAt: 'created_at', updatedAt: 'updated_at' };
  return {
    appName: 'Reelay',
    baseURL: config.publicUrl,
    basePath: '/api/auth',
    secret: options.secret,
    database: {
      db: new Kysely<Record<string, never>>({ dialect: new PostgresDialect({ pool: options.pool }) }),
      type: 'postgres' as const,
      // Without it a sign-up that fails half way leaves half a user.
      transaction: true,
    },
    trustedOrigins: originsOf(config.publicUrl),
    emailAndPassword: { enabled: true, minPasswordLength: 10, maxPasswordLength: 128 },
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
      expiresIn: 30 * 24 * 3600,
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
    verification: { fields: { expiresAt: 'expires_at', ...times } },
    advanced: {
      database: { generateId: 'uuid' as const },
      cookiePrefix: 'reelay',
      useSecureCookies: config.httpsOnly,
      ipAddress: { ipAddressHeaders: ['x-client-ip'] },
      // Said in words: left out, the library would look at NODE_ENV.
      disableOriginCheck: false,
      disableCSRFCheck: false,
    },
    // Ours is exact and shared by all nodes.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: {
      // Its own messages carry addresses and, after database errors, whole rows: only the fact is kept.
      log: (level: string, message: string) => {
        if (level === 'error') log.warn({ part: 'sign-in' }, message.replace(/\S+@\S+/g, '[address]'));
      },
    },
    // What is thrown from here reaches our caller; otherwise the library would print it, row values and all.
    onAPIError: {
      onError: (error: unknown) => {
        if (!(error instanceof APIError)) throw error;
      },
    },
    databaseHooks: { session: { create: { before: refuseSuspended } } },
    hooks: {
      before: createAuthMiddleware(async (request) => {
        if (request.path !== '/sign-up/email') return;
        await assertSignUpOpen(options, request.headers?.get(FIRST_TOKEN_HEADER) ?? '');
      }),
    },
  };
}

export function createAuth(options: AuthOptions) {
  return betterAuth(authSettings(options));
}

export type Auth = ReturnType<typeof createAuth>;

/** @throws APIError when nobody, or nobody without the token, may sign up now */
async function assertSignUpOpen(options: AuthOptions, token: string): Promise<void> {
  const { config } = options;
  if (config.signup === 'closed') throw signUpClosed();
  if (await options.anyUser()) {
    if (config.signup !== 'open') throw signUpClosed();
    return;
  }
  if (isLoopback(new URL(config.publicUrl).hostname)) return;
  const wanted = Buffer.from(await options.firstToken());
  const given = Buffer.from(token);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new APIError('FORBIDDEN', {
      code: 'SIGN_UP_TOKEN_NEEDED',
      message: 'The first sign-up needs the token that the service printed when it started.',
    });
}

function signUpClosed(): APIError {
  return new APIError('FORBIDDEN', { code: 'SIGN_UP_CLOSED', message: SIGN_UP_CLOSED });
}

async function refuseSuspended(
  session: { userId: string },
  context: { context: { internalAdapter: { findUserById(id: string): Promise<unknown> } } } | null,
): Promise<void> {
  const user = await context?.context.internalAdapter.findUserById(session.userId);
  if ((user as { suspended?: boolean } | null)?.suspended)
    throw new APIError('FORBIDDEN', { code: 'ACCOUNT_SUSPENDED', message: 'This user is suspended.' });
}

/** The public address; on loopback under its other names too, since browsers tell them apart. */
function originsOf(publicUrl: string): string[] {
  const url = new URL(publicUrl);
  if (!isLoopback(url.hostname)) return [url.origin];
  const port = url.port === '' ? '' : `:${url.port}`;
  return ['localhost', '127.0.0.1', '[::1]'].map((host) => `${url.protocol}//${host}${port}`);
}
