/** Replaces a forgotten password by a mailed link. */
import { writeAudit } from '../audit/write-audit.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { countsOf, type RemainingAccess, revokeAccess } from './access-revocation.ts';
import type { Auth } from './better-auth.ts';
import { RESET_MINUTES } from './session-life.ts';
import type { UserMails } from './user-mails.ts';
import { deleteVerifications, endSessions, findOwnUser, type OwnUserRow } from './user-store.ts';

export interface PasswordReset {
  /** Whether mail can be sent. */
  enabled: boolean;
  /**
   * Starts to mail a link. It does not wait and returns nothing, so that callers cannot learn who has an account.
   * @throws ReelayError `busy`
   */
  request(email: string): void;
  /** Sends the link that better-auth has created. */
  sendLink(user: { id: string; email: string; suspended?: boolean | null | undefined }, token: string): Promise<void>;
  /** Returns the user of a link; null if it was used, has expired or never existed. Does not use it up. */
  find(token: string): Promise<OwnUserRow | null>;
  /** Invalidates the user's other links, revokes access as requested, records the change, and notifies the user. */
  complete(
    user: OwnUserRow,
    details: { address: string; apiKey: boolean; passkeys: boolean },
  ): Promise<RemainingAccess>;
}

export interface PasswordResetOptions {
  config: Pick<Config, 'publicUrl'>;
  db: Database;
  mails: UserMails;
  auth(): Promise<Auth>;
}

export function createPasswordReset({ config, db, mails, auth }: PasswordResetOptions): PasswordReset {
  return {
    enabled: mails.enabled,
    request(email) {
      mails.begin(async () => {
        const { api } = await auth();
        await api.requestPasswordReset({ body: { email } });
      });
    },
    async sendLink({ id, email, suspended }, token) {
      if (suspended) return;
      // The fragment stays in the browser: no server, proxy or Referer header sees the token.
      const link = `${config.publicUrl}/app/reset-password#${token}`;
      const language = (await findOwnUser(db, id))?.language ?? null;
      const params = { minutes: RESET_MINUTES, link };
      await mails.send({ email, language }, (to) => ({ name: 'password_reset', params: { ...to, ...params } }));
      await writeAudit(db, { userId: id, actor: 'visitor', action: 'password.link', subject: id });
    },
    async find(token) {
      const { internalAdapter } = await (await auth()).$context;
      const row = await internalAdapter.findVerificationValue(`reset-password:${token}`);
      if (!row || row.expiresAt.getTime() <= Date.now()) return null;
      return (await findOwnUser(db, row.value)) ?? null;
    },
    async complete({ id }, { address, apiKey, passkeys }) {
      const by = { actor: 'visitor', address };
      return db.transaction(async (tx) => {
        await deleteVerifications(tx, id);
        await writeAudit(tx, { userId: id, subject: id, ...by, action: 'password.reset' });
        const left = await revokeAccess(tx, id, { apiKey, passkeys, by });
        // better-auth has ended them, but a passkey could begin another one before it was removed.
        await endSessions(tx, id);
        await mails.notify(tx, id, { name: 'password_replaced', params: countsOf(left) });
        return left;
      });
    },
  };
}
