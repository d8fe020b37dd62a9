/** Loads better-auth on first use, and calls it. Workers never load it. */
import type pg from 'pg';
import type { Config } from '../../config/config.ts';
import type { Secrets } from '../../config/secrets.ts';
import { asUnavailable, createDatabase, type Database } from '../../db/database.ts';
import { ReelayError } from '../../errors/reelay-error.ts';
import type { Log } from '../../lib/log.ts';
import type { AuthRequest } from '../auth-request.ts';
import { AUTH_PATH } from '../auth-route.ts';
import type { Auth, AuthOptions, PasswordHashing } from '../better-auth.ts';
import { createFairQueue } from '../fair-queue.ts';
import type { PasskeyHost } from '../passkey-host.ts';
import { versionedSecrets } from '../session-secrets.ts';

export interface AuthLoaderDeps {
  config: Config;
  secrets: Secrets;
  db: Database;
  /** Database connection settings. Sign-in has its own connections, with its schema first in the search path. */
  connection: pg.PoolConfig;
  log: Log;
  passwords?: PasswordHashing | undefined;
  /** As in {@link AuthOptions}. */
  resets: AuthOptions['resets'];
  /** null: browsers do not allow passkeys at the service's address. */
  host: PasskeyHost | null;
}

export interface AuthLoader {
  auth(): Promise<Auth>;
  /** Calls better-auth. @throws ReelayError `database_unavailable`, `internal_error` */
  call(request: AuthRequest): Promise<Response>;
  /** As `call`, for requests that hash a password: they wait in a fair queue. @throws ReelayError `busy` too */
  callHashing(request: AuthRequest): Promise<Response>;
  /** As `call`, for routes of passkeys. */
  callPasskeys(request: AuthRequest): Promise<Response>;
  /** Verifies the password of the session's user. Hashes, as `callHashing`. */
  confirmPassword(request: AuthRequest): Promise<Response>;
  /** Throws our error for one of better-auth: an outage of the database, or a redacted `internal_error`. */
  explain(error: unknown): Promise<never>;
  close(): Promise<void>;
}

const POOL_SIZE = 4;
/** Password hashing is slow by design; more in parallel would only delay all of them. */
const HASHES_AT_ONCE = 2;
/** A full queue is a few seconds of work for two. Further requests are rejected with `busy`. */
const HASHES_WAITING = 50;
/** Headers that better-auth needs. It receives no others, and only the client address that we determined. */
const LIBRARY_HEADERS = [
  'cookie',
  'origin',
  'referer',
  'user-agent',
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-dest',
] as const;
const MAX_HEADER = 4_096;
/** It is stored with the session. */
const MAX_USER_AGENT = 512;

export function createAuthLoader(deps: AuthLoaderDeps): AuthLoader {
  const { db, config, host } = deps;
  const libraries = createLibraries(deps);
  const hashing = createFairQueue({ places: HASHES_AT_ONCE, capacity: HASHES_WAITING });
  const explain = async (error: unknown): Promise<never> => {
    const known = asUnavailable(error);
    if (known instanceof ReelayError) throw known;
    await db.query('select 1');
    throw new ReelayError('internal_error', undefined, { cause: redacted(error) });
  };
  const auth = async () => (await libraries.loaded()).auth;
  const send = async (request: AuthRequest) =>
    (await auth()).handler(toLibraryRequest(config.publicUrl, request)).catch(explain);
  const unlessOutage = async (response: Response) => {
    if (response.status >= 500) await db.query('select 1');
    return response;
  };
  return {
    auth,
    explain,
    call: async (request) => unlessOutage(await send(request)),
    callHashing: async (request) => unlessOutage(await hashing.run(request.client, () => send(request))),
    async callPasskeys(request) {
      if (!host) throw new ReelayError('internal_error');
      const handler = await libraries.passkeys(host);
      const response = await handler(toLibraryRequest(config.publicUrl, request)).catch(explain);
      // It also reports an outage of the database as a refused passkey.
      if (response.status >= 400) await db.query('select 1');
      return response;
    },
    async confirmPassword({ body, client, header }) {
      const headers = new Headers({ cookie: header('cookie') ?? '' });
      const { api } = await auth();
      const verify = () =>
        api.verifyPassword({ body: { password: String(body.password) }, headers, asResponse: true }).catch(explain);
      return hashing.run(client, verify);
    },
    close: libraries.close,
  };
}

type Handler = (request: Request) => Promise<Response>;

/** The two instances of better-auth, each loaded once. */
function createLibraries({ config, secrets, connection, log, passwords, resets }: AuthLoaderDeps) {
  let own: Database | null = null;
  let loading: Promise<{ auth: Auth; options: AuthOptions }> | null = null;
  let loadingPasskeys: Promise<Handler> | null = null;
  const load = async () => {
    // Loading it takes 0.5 s of CPU time, which a worker never needs.
    const { createAuth } = await import('../better-auth.ts');
    const onlyFirst = config.signup === 'first-user' ? 'on' : '';
    own = createDatabase({
      connection,
      size: POOL_SIZE,
      settings: { search_path: 'auth', 'reelay.first_user_only': onlyFirst },
      onError: (err) => log.warn({ err }, 'a connection of sign-in broke'),
    });
    const options = { config, secrets: versionedSecrets(secrets), pool: own.pool, log, resets, passwords };
    return { auth: createAuth(options), options };
  };
  const loaded = () => {
    loading ??= load();
    return loading;
  };
  const loadPasskeys = async (host: PasskeyHost) => {
    const [{ createPasskeyAuth }, { options }] = await Promise.all([import('../better-auth-passkeys.ts'), loaded()]);
    return createPasskeyAuth(options, host);
  };
  return {
    loaded,
    passkeys(host: PasskeyHost) {
      loadingPasskeys ??= loadPasskeys(host);
      return loadingPasskeys;
    },
    close: async () => own?.close(),
  };
}

/** Builds the request for better-auth. Of the client's input only the checked body and some headers remain. */
function toLibraryRequest(publicUrl: string, { route, body, address, header }: AuthRequest): Request {
  const headers = new Headers({ 'x-client-ip': address });
  for (const name of LIBRARY_HEADERS) {
    const value = header(name);
    if (name === 'user-agent') headers.set(name, (value ?? '').slice(0, MAX_USER_AGENT));
    else if (value !== undefined && (name === 'cookie' || value.length <= MAX_HEADER)) headers.set(name, value);
  }
  const url = new URL(AUTH_PATH + route.path, publicUrl);
  if (route.method === 'GET') return new Request(url, { headers });
  headers.set('content-type', 'application/json');
  const { revokeApiKey: _key, revokePasskeys: _passkeys, keepPasskeys: _kept, ...known } = body;
  const asked = route.guards === 'changePassword' ? { ...known, revokeOtherSessions: true } : known;
  return new Request(url, { method: route.method, headers, body: JSON.stringify(asked) });
}

/**
 * Strips an error of its message, which may contain email addresses and rows. Its name, code and stack frames remain.
 */
function redacted(error: unknown): Error {
  const { name, code, constraint, stack = '' } = error as Error & { code?: unknown; constraint?: unknown };
  const bare = new Error(['sign-in failed', name, code, constraint].filter(Boolean).join(' '));
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  bare.stack = [bare.message, ...frames].join('\n');
  return bare;
}
