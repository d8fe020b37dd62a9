/** The routes of passkeys (WebAuthn). better-auth creates and verifies challenges; the rest is decided here. */
import type { Database } from '../db/database.ts';
import { ERRORS } from '../errors/reelay-error.ts';
import { isUuid } from '../lib/ids.ts';
import { signInMessage } from '../messages/sign-in.ts';
import type { AuthRequest, SessionUser } from './auth-request.ts';
import type { PasskeyHost } from './passkey-host.ts';
import { countPasskeys, findPasskeyOwner, notePasskeyUse, removePasskey } from './passkey-store.ts';
import type { UserMails } from './user-mails.ts';

/** Enough for every device that a person owns; each is sent to the browser when another is added. */
export const MAX_PASSKEYS = 20;

export interface PasskeysDeps {
  db: Database;
  /** null: browsers do not allow passkeys at the service's address. */
  host: PasskeyHost | null;
  mails: Pick<UserMails, 'notify'>;
  /** Calls better-auth with passkeys. */
  ask(request: AuthRequest): Promise<Response>;
  /** Returns better-auth's response to the password in the body. */
  confirm(request: AuthRequest): Promise<Response>;
  session(cookie: string): Promise<SessionUser | null>;
}

const refusal = (code: Parameters<typeof signInMessage>[0], status: number) =>
  Response.json({ code, message: signInMessage(code).text }, { status });

/** Handles the routes below `/passkey`. Failures have our codes, and do not say what exactly was wrong. */
export function createPasskeys({ db, host, mails, ask, confirm, session }: PasskeysDeps) {
  /** Better-auth reads challenges with GET, which has no body. */
  const read = (request: AuthRequest, header: AuthRequest['header']) =>
    ask({ ...request, header, body: {}, route: { ...request.route, method: 'GET' } });
  const remove = (userId: string, id: string) =>
    db.transaction(async (tx) => {
      if (!(await removePasskey(tx, userId, id))) return false;
      await mails.notify(tx, userId, { name: 'passkey_removed', params: {} });
      return true;
    });
  const routes: Record<string, (request: AuthRequest) => Promise<Response>> = {
    async '/passkey/generate-register-options'(request) {
      const confirmed = await confirm(request);
      if (confirmed.status >= 400) return confirmed;
      const user = await session(request.header('cookie') ?? '');
      if (!user) return unauthorized();
      if ((await countPasskeys(db, user.userId)) >= MAX_PASSKEYS) return refusal('TOO_MANY_PASSKEYS', 409);
      return read(request, request.header);
    },
    async '/passkey/verify-registration'(request) {
      if (!(await session(request.header('cookie') ?? ''))) return unauthorized();
      // A credential belongs to one user. The index also refuses concurrent requests.
      if (await findPasskeyOwner(db, credentialOf(request.body) ?? '')) return refusal('PASSKEY_REFUSED', 400);
      const response = await ask(request);
      if (response.status >= 400) return isOutage(response) ? response : refusal('PASSKEY_REFUSED', 400);
      const { id, name } = (await response.json()) as { id: string; name: string };
      return Response.json({ id, name }, { headers: response.headers });
    },
    async '/passkey/generate-authenticate-options'(request) {
      // Without the cookie, the challenge names no passkeys of the signed-in user.
      const response = await read(request, (name) => (name === 'cookie' ? undefined : request.header(name)));
      if (response.status >= 400) return response;
      const options = (await response.json()) as object;
      return Response.json({ ...options, userVerification: 'required' }, { headers: response.headers });
    },
    async '/passkey/verify-authentication'(request) {
      const response = await ask(request);
      if (response.status >= 400) return isOutage(response) || (await isSuspended(response)) ? response : refused();
      await notePasskeyUse(db, credentialOf(request.body) ?? '');
      const { id, email, name } = ((await response.json()) as { user: Record<string, unknown> }).user;
      return Response.json({ user: { id, email, name } }, { headers: response.headers });
    },
    async '/passkey/delete-passkey'(request) {
      const confirmed = await confirm(request);
      if (confirmed.status >= 400) return confirmed;
      const user = await session(request.header('cookie') ?? '');
      const id = String(request.body.id);
      const removed = user !== null && isUuid(id) && (await remove(user.userId, id));
      return removed ? Response.json({ status: true }) : refusal('UNKNOWN_PASSKEY', 404);
    },
  };
  const refused = () => refusal('PASSKEY_REFUSED', 401);
  return {
    async handle(request: AuthRequest): Promise<Response> {
      const route = routes[request.route.path];
      if (!host || !route) return refusal('PASSKEYS_UNAVAILABLE', 400);
      const response = await route(request);
      const headers = new Headers(response.headers);
      headers.delete('content-length');
      return new Response(response.body, { status: response.status, headers });
    },
  };
}

/** The credential that a browser's response is about. */
export function credentialOf({ response }: AuthRequest['body']): string | null {
  const id = (response as { id?: unknown } | undefined)?.id;
  return typeof id === 'string' ? id : null;
}

const unauthorized = () => Response.json({ code: 'unauthorized', message: ERRORS.unauthorized[1] }, { status: 401 });
const isOutage = ({ status }: Response) => status >= 500;

async function isSuspended(response: Response): Promise<boolean> {
  const { code } = (await response.clone().json()) as { code?: unknown };
  return code === 'ACCOUNT_SUSPENDED';
}
