/** Replaces a forgotten password by a mailed link. */
import { writeAudit } from '../audit.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { ReelayError } from '../errors.ts';
import type { Log } from '../log.ts';
import { codesOf, type Mailer } from '../mail/mailer.ts';
import { type MailMessage, mailTexts } from '../messages/mail.ts';
import { withTimeout } from '../timeout.ts';
import type { Auth } from './better-auth.ts';
import { RESET_MINUTES } from './session-life.ts';
import { deleteVerifications, findOwnUser, type OwnUserRow } from './store.ts';

/** Maximum number of mails being prepared or sent. Further requests are rejected, for known and unknown addresses. */
const MAX_PENDING = 50;
const CLOSE_WITHIN_MS = 5_000;

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
  /** Invalidates the user's other links, records the change, and notifies the user. */
  complete(user: OwnUserRow, details: { address: string; revokesKey: boolean }): Promise<void>;
  /** Waits a few seconds for mails in progress. */
  close(): Promise<void>;
}

export interface PasswordResetOptions {
  config: Pick<Config, 'publicUrl'>;
  db: Database;
  log: Log;
  /** null: mail is not configured. */
  mailer: Mailer | null;
  auth(): Promise<Auth>;
}

export function createPasswordReset({ config, db, log, mailer, auth }: PasswordResetOptions): PasswordReset {
  const pending = new Set<Promise<void>>();
  const { host } = new URL(config.publicUrl);
  /** Runs work in the background. Errors may contain email addresses, so only their codes are logged. */
  const inBackground = (work: Promise<void>) => {
    const done: Promise<void> = work
      .catch((error: unknown) =>
        log.warn({ part: 'mail', ...codesOf(error) }, 'a mail about a password could not be sent'),
      )
      .finally(() => pending.delete(done));
    pending.add(done);
  };
  const send = async (user: Pick<OwnUserRow, 'email' | 'language'>, message: MailMessage) =>
    mailer?.send(user.email, mailTexts(user.language ?? 'en', message));
  return {
    enabled: mailer !== null,
    request(email) {
      if (pending.size >= MAX_PENDING) throw new ReelayError('busy');
      const work = async () => {
        const { api } = await auth();
        await api.requestPasswordReset({ body: { email } });
      };
      inBackground(work());
    },
    async sendLink({ id, email, suspended }, token) {
      if (suspended) return;
      // The fragment stays in the browser: no server, proxy or Referer header sees the token.
      const link = `${config.publicUrl}/app/reset-password#${token}`;
      const language = (await findOwnUser(db, id))?.language ?? null;
      const params = { user: email, host, minutes: RESET_MINUTES, link };
      await send({ email, language }, { name: 'password_reset', params });
      await writeAudit(db, { userId: id, actor: 'visitor', action: 'password.link', subject: id });
    },
    async find(token) {
      const { internalAdapter } = await (await auth()).$context;
      const row = await internalAdapter.findVerificationValue(`reset-password:${token}`);
      if (!row || row.expiresAt.getTime() <= Date.now()) return null;
      return (await findOwnUser(db, row.value)) ?? null;
    },
    async complete({ id, email, language }, { address, revokesKey }) {
      await deleteVerifications(db, id);
      const entry = { userId: id, actor: 'visitor', subject: id, address };
      await writeAudit(db, { ...entry, action: 'password.reset' });
      if (revokesKey) await writeAudit(db, { ...entry, action: 'key.revoke' });
      inBackground(send({ email, language }, { name: 'password_replaced', params: { user: email, host } }));
    },
    async close() {
      await withTimeout(CLOSE_WITHIN_MS, Promise.all(pending), () => {});
    },
  };
}
