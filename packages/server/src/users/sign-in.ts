/** Sign-in for the rest of the service: resolves session cookies and handles `/api/auth`. */
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import type { PlanName } from '../config/plan-names.ts';
import type { Secrets } from '../config/secrets.ts';
import { asUnavailable, createDatabase, type Database } from '../db/database.ts';
import { ReelayError } from '../errors.ts';
import type { Log } from '../log.ts';
import { signInMessage } from '../messages/sign-in.ts';
import { revokeAccess } from './access-revocation.ts';
import type { AuthRequest, SessionUser } from './auth-request.ts';
import { AUTH_PATH } from './auth-routes.ts';
import type { Auth, AuthOptions, PasswordHashing } from './better-auth.ts';
import { deleteSignedIn } from './delete-signed-in.ts';
import { createFairQueue } from './fair-queue.ts';
import { FIRST_TOKEN_HEADER, refuseSignUp, SIGN_UP_CLOSED } from './first-user.ts';
import { createKnownBrowsers } from './known-browser.ts';
import { CODE_PATH, createOneTimeCodes } from './one-time-codes.ts';
import { passkeyHost } from './passkey-host.ts';
import { findPasskeyOwner } from './passkey-store.ts';
import { createPasskeys, credentialOf } from './passkeys.ts';
import { assertPasswordAllowed } from './password-policy.ts';
import { countsOf, createPasswordReset } from './password-reset.ts';
import { secondsLocked } from './second-factor.ts';
import { type Account, createSecurityEvents } from './security-events.ts';
import { endMoves, IDLE_DAYS, SESSION_DAYS, useMoves } from './session-life.ts';
import { versionedSecrets } from './session-secrets.ts';
import { endSessionsExcept } from './session-store.ts';
import { anyUser, deleteVerifications, findOwnUser, moveSessionEnd } from './store.ts';
import type { UserMails } from './user-mails.ts';

/** A password attempt: the account, and the browser it is made from. */
export interface Attempt {
  /** Identifies the account without its email address. */
  account: string;
  /** The id of a browser that has signed in to this account before. */
  browser: string | null;
}

export interface SignIn {
  /** Returns the user of the session in a Cookie header, or null. */
  session(cookie: string): Promise<SessionUser | null>;
  /** Returns the password attempt that a request makes; null if it makes none. */
  attempt(request: AuthRequest): Promise<Attempt | null>;
  /** @throws ReelayError `invalid_request` for a new password that is not allowed, `busy`, `database_unavailable` */
  handle(request: AuthRequest): Promise<Response>;
  /** Returns how many backup codes a user has left; null without a second factor. */
  backupCodesLeft(userId: string): Promise<number | null>;
  /** As in {@link UserMails}. */
  notify: UserMails['notify'];
  close(): Promise<void>;
}

export interface SignInOptions {
  config: Config;
  secrets: Secrets;
  db: Database;
  /** Database connection settings. Sign-in has its own connections, with its schema first in the search path. */
  connection: pg.PoolConfig;
  log: Log;
  passwords?: PasswordHashing | undefined;
  mails: UserMails;
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
const RESET_DISABLED = { code: 'RESET_PASSWORD_DISABLED', message: signInMessage('RESET_PASSWORD_DISABLED').text };
const SECOND_FACTOR_REQUIRED = {
  code: 'SECOND_FACTOR_REQUIRED',
  message: signInMessage('SECOND_FACTOR_REQUIRED').text,
};
const INVALID_LINK = { code: 'INVALID_TOKEN', message: signInMessage('INVALID_TOKEN').text };

export function createSignIn(options: SignInOptions): SignIn {
  const { config, secrets, db, connection, log, passwords, mails } = options;
  let own: Database | null = null;
  let loading: Promise<{ auth: Auth; options: AuthOptions }> | null = null;
  const load = async () => {
    // Loading it takes 0.5 s of CPU time, which a worker never needs.
    const { createAuth } = await import('./better-auth.ts');
    const onlyFirst = config.signup === 'first-user' ? 'on' : '';
    own = createDatabase({
      connection,
      size: POOL_SIZE,
      settings: { search_path: 'auth', 'reelay.first_user_only': onlyFirst },
      onError: (err) => log.warn({ err }, 'a connection of sign-in broke'),
    });
    const options: AuthOptions = {
      config,
      secrets: versionedSecrets(secrets),
      pool: own.pool,
      log,
      resets: resets.enabled ? resets : null,
      passwords,
    };
    return { auth: createAuth(options), options };
  };
  const loaded = () => {
    loading ??= load();
    return loading;
  };
  const auth = async () => (await loaded()).auth;
  const host = passkeyHost(config.publicUrl);
  const resets = createPasswordReset({ config, db, mails, auth });
  /** Replaces better-auth's error: a database outage is reported as such, anything else is redacted. */
  const explain = async (error: unknown): Promise<never> => {
    const known = asUnavailable(error);
    if (known instanceof ReelayError) throw known;
    await db.query('select 1');
    throw new ReelayError('internal_error', undefined, { cause: redacted(error) });
  };
  const hashing = createFairQueue({ places: HASHES_AT_ONCE, capacity: HASHES_WAITING });
  const browsers = createKnownBrowsers({ key: secrets.links, secure: config.httpsOnly });
  const session: SignIn['session'] = async (cookie) => {
    // Without our cookie, loading better-auth is not worth it.
    if (!/(^|[\s;])(__Host-)?reelay\.session_token=/.test(cookie)) return null;
    const { api } = await auth();
    const findSession = () => api.getSession({ headers: new Headers({ cookie }), query: { disableRefresh: true } });
    // Reading is safe to retry: the first call may have hit a connection that broke while idle.
    const found = await findSession().catch(findSession).catch(explain);
    if (!found) return null;
    const { user, session } = found;
    const now = Date.now();
    // The expiry stops moving a week before the latest end, but the last use does not.
    if (endMoves(session, now) || useMoves(session, now))
      await moveSessionEnd(db, session.id, { days: SESSION_DAYS, idleDays: IDLE_DAYS });
    return {
      sessionId: session.id,
      userId: user.id,
      email: user.email,
      plan: user.plan as PlanName,
      operator: user.operator === true,
      suspended: user.suspended === true,
      zone: user.zone,
    };
  };
  /** The account that a request is about: the one it names, the session's, or the one whose sign-in is incomplete. */
  const accountOf = async (request: AuthRequest): Promise<Account | null> => {
    const { route, body, header } = request;
    if (typeof body.email === 'string') return { email: body.email.toLowerCase(), bySession: false };
    if (route.guards === null || route.guards === 'resetPassword' || route.guards === 'passkeyChallenge') return null;
    if (route.guards === 'passkey') {
      const email = await findPasskeyOwner(db, credentialOf(body) ?? '');
      return email === null ? null : { email, bySession: false };
    }
    const cookie = header('cookie') ?? '';
    const user = await session(cookie);
    if (user) return { email: user.email, bySession: true };
    const email = route.guards === 'secondFactor' ? await challengedEmail(cookie) : null;
    return email === null ? null : { email, bySession: false };
  };
  /** The email address of the sign-in that waits for its second factor. */
  const challengedEmail = async (cookie: string): Promise<string | null> => {
    const [, identifier] = /(?:^|[\s;])(?:__Host-)?reelay\.two_factor=(2fa-[\w-]{1,64})\./.exec(cookie) ?? [];
    if (!identifier) return null;
    const { internalAdapter } = await (await auth()).$context;
    const row = await internalAdapter.findVerificationValue(identifier).catch(explain);
    return row ? ((await findOwnUser(db, row.value))?.email ?? null) : null;
  };
  /** Calls better-auth. Only requests that hash a password wait in the queue. */
  const ask = async (request: AuthRequest): Promise<Response> => {
    const { handler } = await auth();
    const work = () => handler(toLibraryRequest(config.publicUrl, request)).catch(explain);
    const { guards } = request.route;
    const hashes = guards !== null && guards !== 'secondFactor';
    const response = !hashes ? await work() : await hashing.run(request.client, work);
    if (response.status >= 500) await db.query('select 1');
    return response;
  };
  const events = createSecurityEvents({ db, log, mails, hash: browsers.account });
  /** Invalidates mailed links, revokes access as requested, and adds to the response what is left. */
  const completeChange = async ({ body, address }: AuthRequest, response: Response): Promise<Response> => {
    const answer = (await response.json()) as { token: string; user: { id: string } };
    const { id } = answer.user;
    const access = await db.transaction(async (tx) => {
      await deleteVerifications(tx, id);
      const wanted = { apiKey: body.revokeApiKey === true, passkeys: body.revokePasskeys === true };
      const left = await revokeAccess(tx, id, { ...wanted, by: { actor: 'session', address } });
      // better-auth has ended them, but a passkey could begin another one before it was removed.
      if (wanted.passkeys) await endSessionsExcept(tx, id, answer.token);
      return left;
    });
    mails.notify(id, (to) => ({ name: 'password_changed', params: { ...to, ...countsOf(access) } }));
    return Response.json({ ...answer, ...access }, { status: response.status, headers: response.headers });
  };
  /** The response is the same whether the account exists or not, and is sent before that is known. */
  const requestReset = ({ body }: AuthRequest): Response => {
    if (!resets.enabled) return Response.json(RESET_DISABLED, { status: 400 });
    resets.request(String(body.email).toLowerCase());
    return Response.json({ status: true });
  };
  const resetPassword = async (request: AuthRequest): Promise<Response> => {
    const { token, newPassword, revokeApiKey, revokePasskeys } = request.body;
    const user = await resets.find(String(token)).catch(explain);
    if (!user) return Response.json(INVALID_LINK, { status: 400 });
    // A password that is not allowed does not use up the link.
    await assertPasswordAllowed(String(newPassword), user.email);
    const response = await ask(request);
    if (response.status >= 400) return response;
    const wanted = { apiKey: revokeApiKey === true, passkeys: revokePasskeys !== false };
    return Response.json({ status: true, ...(await resets.complete(user, { address: request.address, ...wanted })) });
  };
  /** Verifies the password of the session's user. */
  const confirm = async ({ body, client, header }: AuthRequest): Promise<Response> => {
    const headers = new Headers({ cookie: header('cookie') ?? '' });
    const { api } = await auth();
    const verify = () =>
      api.verifyPassword({ body: { password: String(body.password) }, headers, asResponse: true }).catch(explain);
    return hashing.run(client, verify);
  };
  let passkeyAuth: Promise<(request: Request) => Promise<Response>> | null = null;
  const loadPasskeys = async () => {
    const [{ createPasskeyAuth }, { options }] = await Promise.all([import('./better-auth-passkeys.ts'), loaded()]);
    if (!host) throw new ReelayError('internal_error');
    return createPasskeyAuth(options, host);
  };
  const passkeys = createPasskeys({
    db,
    host,
    session,
    confirm,
    async ask(request) {
      passkeyAuth ??= loadPasskeys();
      const response = await (await passkeyAuth)(toLibraryRequest(config.publicUrl, request)).catch(explain);
      // It also reports an outage of the database as a refused passkey.
      if (response.status >= 400) await db.query('select 1');
      return response;
    },
  });
  const codes = createOneTimeCodes({ db, secrets, ask });
  /** Verifies the password before deleting the user. */
  const deleteUser = async (request: AuthRequest, account: Account | null): Promise<Response> => {
    const response = await confirm(request);
    if (response.status < 400 && account !== null) return deleteSignedIn(db, account.email);
    if (account !== null) await events.record(request, account, response);
    return response;
  };
  const dispatch = (request: AuthRequest, account: Account | null): Promise<Response> => {
    if (passkeys.knows(request.route)) return passkeys.handle(request);
    return request.route.path === CODE_PATH ? codes.verify(request, account?.email ?? null) : ask(request);
  };
  return {
    session,
    async attempt(request) {
      const account = await accountOf(request);
      if (account === null) return null;
      const cookie = request.header('cookie') ?? '';
      return { account: browsers.account(account.email), browser: browsers.find(cookie, account.email) };
    },
    async handle(request) {
      const { guards } = request.route;
      if (guards === 'signUp') {
        const token = request.header(FIRST_TOKEN_HEADER) ?? '';
        const refusal = await refuseSignUp({ db, config, secrets }, { local: request.local, token });
        if (refusal) return Response.json(refusal, { status: 403 });
      }
      if (guards === 'requestReset') return requestReset(request);
      if (guards === 'resetPassword') return resetPassword(request);
      const account = guards === null ? null : await accountOf(request);
      if (guards === 'deleteUser') return deleteUser(request, account);
      const { password, newPassword = password } = request.body;
      if (account !== null && (guards === 'signUp' || guards === 'changePassword'))
        await assertPasswordAllowed(String(newPassword), account.email);
      const response = await dispatch(request, account);
      // The second factor is locked.
      if (response.status === 429 && account !== null)
        response.headers.set('retry-after', String(await secondsLocked(db, account.email)));
      // The password is right, but the sign-in waits for the second factor.
      if (guards === 'signIn' && (await isChallenge(response))) return response;
      if (account !== null) await events.record(request, account, response);
      // Of several concurrent first sign-ups the database accepts one; better-auth responds to the others with 422.
      if (response.status === 422 && config.signup === 'first-user' && (await anyUser(db)))
        return Response.json(SIGN_UP_CLOSED, { status: 403 });
      if (guards === 'changePassword' && response.status < 400) return completeChange(request, response);
      if (response.status >= 400 || account === null || browsers.find(request.header('cookie') ?? '', account.email))
        return response;
      const headers = new Headers(response.headers);
      headers.append('set-cookie', browsers.remember(account.email));
      return new Response(response.body, { status: response.status, headers });
    },
    async backupCodesLeft(userId) {
      const { api } = await auth();
      // Fails without a second factor, with a lost secret, and without the database.
      const found = await api.viewBackupCodes({ body: { userId } }).catch(() => null);
      if (!found) await db.query('select 1');
      return found?.backupCodes.length ?? null;
    },
    notify: mails.notify,
    async close() {
      await mails.close();
      await own?.close();
    },
  };
}

/**
 * Converts better-auth's request for the second factor to an error, so that clients do not take a success for a session.
 * Other responses are returned unchanged.
 */
export async function refuseChallenge(response: Response): Promise<Response> {
  if (!(await isChallenge(response))) return response;
  return Response.json(SECOND_FACTOR_REQUIRED, { status: 403, headers: response.headers });
}

/** Whether better-auth asks for the second factor. */
async function isChallenge(response: Response): Promise<boolean> {
  if (response.status >= 400) return false;
  const body: unknown = await response.clone().json();
  return typeof body === 'object' && body !== null && 'twoFactorRedirect' in body;
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
  const { revokeApiKey: _key, revokePasskeys: _passkeys, ...known } = body;
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
