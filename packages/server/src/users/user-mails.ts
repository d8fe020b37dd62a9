/** Mails to users about their password and about changes of what can sign in. Callers do not wait for them. */
import { LRUCache } from 'lru-cache';
import type { Config } from '../config/config.ts';
import type { Queryable } from '../db/database.ts';
import { ReelayError } from '../errors.ts';
import type { Log } from '../log.ts';
import { codesOf, type Mailer } from '../mail/mailer.ts';
import { type MailMessage, mailTexts } from '../messages/mail.ts';
import { HOUR } from '../time.ts';
import { withTimeout } from '../timeout.ts';
import { findOwnUser, type OwnUserRow } from './store.ts';

/** Maximum number of mails being prepared or sent. */
const MAX_PENDING = 50;
/** Mails of one kind to one user in an hour, for each process. A program may create API keys in a loop. */
const MAX_PER_HOUR = 10;
const MAX_COUNTED = 10_000;
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
   * Runs work that mails something in the background. Its errors are logged.
   * @throws ReelayError `busy`
   */
  begin(work: () => Promise<void>): void;
  /** @throws Error of the SMTP client */
  send(user: Pick<OwnUserRow, 'email' | 'language'>, write: (to: Recipient) => MailMessage): Promise<void>;
  /** Mails a security event in the background, unless the user is suspended. A mail that cannot be sent is logged. */
  notify(userId: string, write: (to: Recipient) => MailMessage): void;
  /** Waits a few seconds for mails in progress. */
  close(): Promise<void>;
}

export interface UserMailsDeps {
  config: Pick<Config, 'publicUrl'>;
  db: Queryable;
  log: Log;
  /** null: mail is not configured. */
  mailer: Mailer | null;
}

export function createUserMails({ config, db, log, mailer }: UserMailsDeps): UserMails {
  const pending = new Set<Promise<void>>();
  const counts = new LRUCache<string, number>({ max: MAX_COUNTED, ttl: HOUR, noUpdateTTL: true });
  const { host } = new URL(config.publicUrl);
  /** Errors may contain email addresses, so only their codes are logged. */
  const warn = (error: unknown) => log.warn({ part: 'mail', ...codesOf(error) }, 'a mail to a user could not be sent');
  const begin: UserMails['begin'] = (work) => {
    if (pending.size >= MAX_PENDING) throw new ReelayError('busy');
    const done: Promise<void> = work()
      .catch(warn)
      .finally(() => pending.delete(done));
    pending.add(done);
  };
  const send: UserMails['send'] = async ({ email, language }, write) =>
    mailer?.send(email, mailTexts(language ?? 'en', write({ user: email, host })));
  const mailOnce = async (userId: string, write: (to: Recipient) => MailMessage) => {
    const user = await findOwnUser(db, userId);
    if (!user || user.suspended) return;
    const key = `${write({ user: '', host }).name} ${userId}`;
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    if (count < MAX_PER_HOUR) await send(user, write);
  };
  return {
    enabled: mailer !== null,
    begin,
    send,
    notify(userId, write) {
      if (mailer === null) return;
      try {
        begin(() => mailOnce(userId, write));
      } catch (error) {
        warn(error);
      }
    },
    async close() {
      await withTimeout(CLOSE_WITHIN_MS, Promise.all(pending), () => {});
    },
  };
}
