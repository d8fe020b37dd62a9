/** Handles `/api/auth`: for each guard, the steps of a request in order. */
import type { Config } from '../../config/config.ts';
import type { Secrets } from '../../config/secrets.ts';
import type { Database } from '../../db/database.ts';
import { signInMessage } from '../../messages/sign-in.ts';
import type { AuthRequest } from '../auth-request.ts';
import type { Guard } from '../auth-route.ts';
import { deleteSignedIn } from '../delete-signed-in.ts';
import { FIRST_TOKEN_HEADER, refuseSignUp, SIGN_UP_CLOSED } from '../first-user.ts';
import type { KnownBrowsers } from '../known-browser.ts';
import type { createOneTimeCodes } from '../one-time-codes.ts';
import type { createPasskeys } from '../passkeys.ts';
import { secondsLocked } from '../second-factor.ts';
import { anyUser } from '../user-store.ts';
import type { Account, FindAccount } from './account-of-request.ts';
import type { Audit, Audited, AuditRules } from './audit.ts';
import type { AuthLoader } from './auth-loader.ts';
import { type createPasswordSteps, requireAllowedPassword } from './password-steps.ts';

export interface HandlerDeps {
  config: Config;
  secrets: Secrets;
  db: Database;
  loader: AuthLoader;
  accountOf: FindAccount;
  audit: Audit;
  browsers: KnownBrowsers;
  codes: ReturnType<typeof createOneTimeCodes>;
  passkeys: ReturnType<typeof createPasskeys>;
  passwords: ReturnType<typeof createPasswordSteps>;
}

/** The steps of a request, in the order in which they run. */
interface Steps {
  /** The first refusal ends the request, unaudited. They may also throw one. */
  before?: readonly ((request: AuthRequest, account: Account | null) => Promise<Response | null>)[];
  run(request: AuthRequest, account: Account | null): Promise<Response>;
  /** Whether the response asks for another step of the sign-in. It ends the request, unaudited. */
  continues?(response: Response): Promise<boolean>;
  /** Skipped for a request without an account. */
  audit?: AuditRules;
  /** Completes the response. */
  after?(request: AuthRequest, response: Response, account: Account | null): Promise<Response>;
  /** Whether a success makes the browser known to the account. */
  remembers?: true;
}

const SIGN_IN: Audited = ['session.begin', 'session.refuse'];
const PASSWORD: Audited = [null, 'password.refuse'];
/** Only successes, as `action` of the route. */
const ROUTE_ONLY: Audited = [null, null];

function stepsByGuard(deps: HandlerDeps): Readonly<Record<Guard, Steps>> {
  const { call, callHashing } = deps.loader;
  const { codes, passkeys, passwords } = deps;
  const after = createAfterSteps(deps);
  return {
    signIn: { run: callHashing, continues: isChallenge, audit: { visitor: SIGN_IN }, remembers: true },
    signUp: {
      before: [signUpGate(deps), requireAllowedPassword],
      run: callHashing,
      audit: { visitor: ['user.create', null] },
      after: after.explainClosedSignUp,
      remembers: true,
    },
    oneTimeCode: {
      run: (request, account) => codes.verify(request, account?.email ?? null),
      audit: { visitor: SIGN_IN, session: ROUTE_ONLY },
      after: after.tellLockTime,
      remembers: true,
    },
    backupCode: {
      run: call,
      audit: { visitor: SIGN_IN, session: ROUTE_ONLY },
      after: after.tellLockTime,
      remembers: true,
    },
    passkeyChallenge: { run: passkeys.handle },
    passkey: { run: passkeys.handle, audit: { visitor: SIGN_IN }, remembers: true },
    addPasskey: { run: passkeys.handle, audit: { session: ROUTE_ONLY }, remembers: true },
    changePasskeys: { run: passkeys.handle, audit: { session: PASSWORD }, remembers: true },
    confirmPassword: { run: callHashing, audit: { session: PASSWORD }, remembers: true },
    changePassword: {
      before: [requireAllowedPassword],
      run: callHashing,
      audit: { session: PASSWORD },
      after: passwords.completeChange,
    },
    requestReset: { run: passwords.requestReset },
    resetPassword: { run: passwords.resetPassword },
    deleteUser: { run: deleteUser(deps), audit: { session: PASSWORD } },
  };
}

export function createHandler(deps: HandlerDeps): (request: AuthRequest) => Promise<Response> {
  const { accountOf, audit, browsers, loader } = deps;
  const steps = stepsByGuard(deps);
  const unguarded: Steps = { run: loader.call };
  const remember = (request: AuthRequest, { email }: Account, response: Response): Response => {
    if (response.status >= 400 || browsers.find(request.header('cookie') ?? '', email)) return response;
    const headers = new Headers(response.headers);
    headers.append('set-cookie', browsers.remember(email));
    return new Response(response.body, { status: response.status, headers });
  };
  return async (request) => {
    const { guards } = request.route;
    const { before = [], run, continues, ...rest } = guards === null ? unguarded : steps[guards];
    const account = await accountOf(request);
    for (const step of before) {
      const refusal = await step(request, account);
      if (refusal) return refusal;
    }
    const response = await run(request, account);
    if (await continues?.(response)) return response;
    if (rest.audit && account) await audit(rest.audit, request, account, response);
    const complete = (await rest.after?.(request, response, account)) ?? response;
    return rest.remembers && account ? remember(request, account, complete) : complete;
  };
}

/** Refuses sign-ups that the configuration does not allow. */
function signUpGate({ db, config, secrets }: HandlerDeps) {
  return async ({ local, header }: AuthRequest): Promise<Response | null> => {
    const token = header(FIRST_TOKEN_HEADER) ?? '';
    const refusal = await refuseSignUp({ db, config, secrets }, { local, token });
    return refusal && Response.json(refusal, { status: 403 });
  };
}

/** Verifies the password before deleting the user. */
function deleteUser({ db, loader }: HandlerDeps) {
  return async (request: AuthRequest, account: Account | null): Promise<Response> => {
    const response = await loader.confirmPassword(request);
    return response.status < 400 && account !== null ? deleteSignedIn(db, account.email) : response;
  };
}

function createAfterSteps({ db, config }: HandlerDeps) {
  return {
    /** Of several concurrent first sign-ups the database accepts one; better-auth responds to the others with 422. */
    async explainClosedSignUp(_request: AuthRequest, response: Response): Promise<Response> {
      const isClosed = response.status === 422 && config.signup === 'first-user' && (await anyUser(db));
      return isClosed ? Response.json(SIGN_UP_CLOSED, { status: 403 }) : response;
    },
    /** 429: the second factor is locked. */
    async tellLockTime(_request: AuthRequest, response: Response, account: Account | null): Promise<Response> {
      if (response.status === 429 && account !== null)
        response.headers.set('retry-after', String(await secondsLocked(db, account.email)));
      return response;
    },
  };
}

const SECOND_FACTOR_REQUIRED = {
  code: 'SECOND_FACTOR_REQUIRED',
  message: signInMessage('SECOND_FACTOR_REQUIRED').text,
};

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
