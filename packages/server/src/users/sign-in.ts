/** What the rest of the service knows of sign-in: whose session a cookie is, and the handler of `/api/auth`. */
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import type { PlanName } from '../config/plan-names.ts';
import type { Secrets } from '../config/secrets.ts';
import { asUnavailable, createDatabase, type Database } from '../db/database.ts';
import { ReelayError } from '../errors.ts';
import type { Log } from '../log.ts';
import { createSemaphore } from '../media/semaphore.ts';
import type { Auth } from './better-auth.ts';
import { firstUserToken } from './first-user.ts';
import { anyUser } from './store.ts';

export interface SessionUser {
  sessionId: string;
  userId: string;
  email: string;
  plan: PlanName;
  operator: boolean;
  suspended: boolean;
}

export interface SignIn {
  /** The user whose session a Cookie header carries, or null. */
  session(cookie: string): Promise<SessionUser | null>;
  /** Answers a request below `/api/auth`. */
  handle(request: Request): Promise<Response>;
  close(): Promise<void>;
}

export interface SignInOptions {
  config: Config;
  secrets: Secrets;
  db: Database;
  /** How the database is reached: sign-in has connections of its own, which look into its schema first. */
  connection: pg.PoolConfig;
  log: Log;
}

const POOL_SIZE = 4;
/** Passwords are slow to hash by design; more at once would only make all of them late. */
const HASHES_AT_ONCE = 2;

/** What whoever comes too late is told. */
export const SIGN_UP_CLOSED = 'Sign-up is closed on this service.';

export function createSignIn(options: SignInOptions): SignIn {
  const { config, secrets, db, connection, log } = options;
  let own: Database | null = null;
  let loading: Promise<Auth> | null = null;
  const load = async () => {
    const { createAuth } = await import('./better-auth.ts');
    const onlyFirst = config.signup === 'first-user' ? ' -c reelay.first_user_only=on' : '';
    own = createDatabase({
      connection: { ...connection, options: `-c search_path=auth${onlyFirst}` },
      size: POOL_SIZE,
      onError: (err) => log.warn({ err }, 'a connection of sign-in broke'),
    });
    return createAuth({
      config,
      secret: secrets.session,
      pool: own.pool,
      log,
      anyUser: () => anyUser(db),
      firstToken: () => firstUserToken(db, secrets),
    });
  };
  const auth = () => {
    loading ??= load();
    return loading;
  };
  /** The library hides or drags along what went wrong: a database that is away is said so, the rest is redacted. */
  const explain = async (error: unknown): Promise<never> => {
    const known = asUnavailable(error);
    if (known instanceof ReelayError) throw known;
    await db.query('select 1');
    throw new ReelayError('internal_error', undefined, { cause: redacted(error) });
  };
  const hashing = createSemaphore(HASHES_AT_ONCE);
  return {
    async session(cookie) {
      // No cookie of ours: not worth loading the library for.
      if (!/(^|[\s;])(__Secure-)?reelay\.session_token=/.test(cookie)) return null;
      const { api } = await auth();
      const look = () => api.getSession({ headers: new Headers({ cookie }), query: { disableRefresh: true } });
      // Asked twice: the first may have met a connection that broke while it lay idle, and looking changes nothing.
      const found = await look().catch(look).catch(explain);
      if (!found) return null;
      const { user, session } = found;
      return {
        sessionId: session.id,
        userId: user.id,
        email: user.email,
        plan: user.plan as PlanName,
        operator: user.operator === true,
        suspended: user.suspended === true,
      };
    },
    async handle(request) {
      const { handler } = await auth();
      const work = () => handler(request).catch(explain);
      const response = request.method === 'POST' ? await hashing.run(work) : await work();
      if (response.status >= 500) await db.query('select 1');
      // Of many first sign-ups at once the database lets one through; the library calls the others unprocessable.
      const beaten = response.status === 422 && config.signup === 'first-user' && (await anyUser(db));
      return beaten ? Response.json({ code: 'SIGN_UP_CLOSED', message: SIGN_UP_CLOSED }, { status: 403 }) : response;
    },
    async close() {
      await own?.close();
    },
  };
}

/** An error without its words, which can hold addresses and rows: its kind, code and place remain. */
function redacted(error: unknown): Error {
  const { name, code, constraint, stack = '' } = error as Error & { code?: unknown; constraint?: unknown };
  const bare = new Error(['sign-in failed', name, code, constraint].filter(Boolean).join(' '));
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  bare.stack = [bare.message, ...frames].join('\n');
  return bare;
}
