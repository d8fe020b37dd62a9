/** Mails to users about their password and about changes of what can sign in. Callers do not wait for them. */
import type { Config } from '../config/config.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { ReelayError } from '../errors/reelay-error.ts';
import type { Log } from '../lib/log.ts';
import { withTimeout } from '../lib/timeout.ts';
import { codesOf, type Mailer } from '../mail/mailer.ts';
import { type MailMessage, mailTexts, type SecurityMail } from '../messages/mail.ts';
import { queueSecurityMail } from './security-mail-store.ts';
import type { OwnUserRow } from './user-store.ts';

/** Maximum number of mails being prepared or sent. */
const MAX_PENDING = 50;
const CLOSE_WITHIN_MS = 5_000;

/** The parameters that every mail has. */
export interface Recipient {
  /** Email address. */
  user: string;
  /** Of the service. */
  host: string;
}

export interface UserMails {
  /** Whether mail can be sent. */
  enabled: boolean;
  /**
   * Runs work that mails something in the background, once. Its errors are logged. For links, which must not be stored:
   * a user whose mail was lost requests another one.
   * @throws ReelayError `busy`
   */
  begin(work: () => Promise<void>): void;
  /** @throws Error of the SMTP client */
  send(user: Pick<OwnUserRow, 'email' | 'language'>, write: (to: Recipient) => MailMessage): Promise<void>;
  /** Queues a mail about a security event: in the transaction of the event, or after it. */
  notify(db: Queryable | Transaction, userId: string, mail: SecurityMail): Promise<void>;
  /** Starts sending mails that a trigger of the database has queued. Without a call they are sent a little later. */
  wake(): void;
  /** Waits a few seconds for mails in progress. */
  close(): Promise<void>;
}

export interface UserMailsDeps {
  config: Pick<Config, 'publicUrl'>;
  log: Log;
  /** null: mail is not configured. */
  mailer: Mailer | null;
  /** Called when a mail was queued. */
  onQueued(): void;
}

export function createUserMails({ config, log, mailer, onQueued }: UserMailsDeps): UserMails {
  const pending = new Set<Promise<void>>();
  const { host } = new URL(config.publicUrl);
  /** Errors may contain email addresses, so only their codes are logged. */
  const warn = (error: unknown) => log.warn({ part: 'mail', ...codesOf(error) }, 'a mail to a user could not be sent');
  return {
    enabled: mailer !== null,
    begin(work) {
      if (pending.size >= MAX_PENDING) throw new ReelayError('busy');
      const done: Promise<void> = work()
        .catch(warn)
        .finally(() => pending.delete(done));
      pending.add(done);
    },
    async send({ email, language }, write) {
      await mailer?.send(email, mailTexts(language ?? 'en', write({ user: email, host })));
    },
    async notify(db, userId, mail) {
      if (mailer === null) return;
      await queueSecurityMail(db, userId, mail);
      if ('afterCommit' in db) db.afterCommit(onQueued);
      else onQueued();
    },
    wake: onQueued,
    async close() {
      await withTimeout(CLOSE_WITHIN_MS, Promise.all(pending), () => {});
    },
  };
}
