/** What the service does itself when a password is chosen, changed or reset. */
import type { Database } from '../../db/database.ts';
import { signInMessage } from '../../messages/sign-in.ts';
import { countsOf, revokeAccess } from '../access-revocation.ts';
import type { AuthRequest } from '../auth-request.ts';
import { assertPasswordAllowed } from '../password-policy.ts';
import type { PasswordReset } from '../password-reset.ts';
import { endSessionsExcept } from '../session-store.ts';
import type { UserMails } from '../user-mails.ts';
import { deleteVerifications } from '../user-store.ts';
import type { Account } from './account-of-request.ts';
import type { AuthLoader } from './auth-loader.ts';

export interface PasswordStepsDeps {
  db: Database;
  loader: Pick<AuthLoader, 'callHashing' | 'explain'>;
  resets: PasswordReset;
  mails: UserMails;
}

const RESET_DISABLED = { code: 'RESET_PASSWORD_DISABLED', message: signInMessage('RESET_PASSWORD_DISABLED').text };
const INVALID_LINK = { code: 'INVALID_TOKEN', message: signInMessage('INVALID_TOKEN').text };

/** @throws ReelayError `invalid_request` for a new password that is not allowed */
export async function requireAllowedPassword({ body }: AuthRequest, account: Account | null): Promise<null> {
  const { password, newPassword = password } = body;
  if (account !== null) await assertPasswordAllowed(String(newPassword), account.email);
  return null;
}

export function createPasswordSteps({ db, loader, resets, mails }: PasswordStepsDeps) {
  return {
    /** Invalidates mailed links, revokes access as requested, and adds to the response what is left. */
    async completeChange({ body, address }: AuthRequest, response: Response): Promise<Response> {
      if (response.status >= 400) return response;
      const changed = (await response.json()) as { token: string; user: { id: string } };
      const { id } = changed.user;
      const access = await db.transaction(async (tx) => {
        await deleteVerifications(tx, id);
        const wanted = { apiKey: body.revokeApiKey === true, passkeys: body.revokePasskeys === true };
        const left = await revokeAccess(tx, id, { ...wanted, by: { actor: 'session', address } });
        // better-auth has ended them, but a passkey could begin another one before it was removed.
        if (wanted.passkeys) await endSessionsExcept(tx, id, changed.token);
        await mails.notify(tx, id, { name: 'password_changed', params: countsOf(left) });
        return left;
      });
      return Response.json({ ...changed, ...access }, { status: response.status, headers: response.headers });
    },
    /** The response is the same whether the account exists or not, and is sent before that is known. */
    async requestReset({ body }: AuthRequest): Promise<Response> {
      if (!resets.enabled) return Response.json(RESET_DISABLED, { status: 400 });
      resets.request(String(body.email).toLowerCase());
      return Response.json({ status: true });
    },
    async resetPassword(request: AuthRequest): Promise<Response> {
      const { token, newPassword, revokeApiKey, keepPasskeys } = request.body;
      const user = await resets.find(String(token)).catch(loader.explain);
      if (!user) return Response.json(INVALID_LINK, { status: 400 });
      // A password that is not allowed does not use up the link.
      await assertPasswordAllowed(String(newPassword), user.email);
      const response = await loader.callHashing(request);
      if (response.status >= 400) return response;
      const wanted = { apiKey: revokeApiKey === true, passkeys: keepPasskeys !== true };
      return Response.json({ status: true, ...(await resets.complete(user, { address: request.address, ...wanted })) });
    },
  };
}
