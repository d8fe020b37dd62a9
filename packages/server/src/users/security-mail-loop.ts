/**
 * Sends mails about security events, at least once. A mail that the server refuses is tried again for a day. A crash
 * between sending and recording repeats one mail.
 */
import type { Database } from '../db/database.ts';
import { HOUR, MINUTE } from '../lib/time.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Language } from '../messages/languages.ts';
import { type MailMessage, mailTexts } from '../messages/mail.ts';
import { type Claim, runOrRetry } from '../queue/claim.ts';
import { createDueLoop, type DueLoop } from '../queue/loop.ts';
import { dueSecurityMails, isTooOld, type SecurityMailRow } from './security-mail-store.ts';
import { findOwnUser } from './user-store.ts';

export interface SecurityMailDeps {
  db: Database;
  /** null: nothing is sent. */
  mailer: Mailer | null;
  /** Names the service in the texts. */
  publicUrl: string;
  /** A mail could not be sent, and is tried again. The error may contain the address. */
  onFailed(userId: string | null, error: unknown): void;
  /** A mail was not sent within a day. The user is null after a deletion. */
  onGivenUp(userId: string | null, name: string): void;
  onError(error: unknown): void;
}

/** Longer than the SMTP client takes, in ms. */
const LEASE_MS = 2 * MINUTE;
const MAX_PAUSE_MS = HOUR;
const POLL_MS = 5_000;

/** Creates the loop. It is not started yet. */
export function createSecurityMailLoop(deps: SecurityMailDeps): DueLoop {
  const { db, mailer, onError } = deps;
  return createDueLoop<Claim<SecurityMailRow>>({
    claim: async (limit) => (mailer ? dueSecurityMails.claim(db, { limit, leaseMs: LEASE_MS }) : []),
    run: (claim) =>
      runOrRetry(db, dueSecurityMails, claim, {
        run: async () => mailer && (await sendOne(deps, mailer, claim)),
        onError: (error) => deps.onFailed(claim.row.user_id, error),
        maxPauseMs: MAX_PAUSE_MS,
      }),
    concurrency: 4,
    withinMs: LEASE_MS,
    onError,
    everyMs: POLL_MS,
  });
}

/** @throws the SMTP client's error */
async function sendOne(deps: SecurityMailDeps, mailer: Mailer, claim: Claim<SecurityMailRow>): Promise<void> {
  const { db, publicUrl } = deps;
  const { user_id: userId, name, params } = claim.row;
  const [recipient, isOld] = [await recipientOf(db, claim.row), await isTooOld(db, claim.row)];
  if (isOld) deps.onGivenUp(userId, name);
  else if (recipient) {
    const { email, language } = recipient;
    const { host } = new URL(publicUrl);
    // Only the store writes rows.
    const message = { name, params: { ...params, user: email, host } } as MailMessage;
    await mailer.send(email, mailTexts(language ?? 'en', message));
  }
  // Nothing of a deleted user may stay.
  if (userId === null) await dueSecurityMails.remove(db, claim);
  else await dueSecurityMails.release(db, claim, { afterMs: null, failed: false });
}

/** Null: nobody, because the user is suspended or gone. */
async function recipientOf(
  db: Database,
  { user_id: userId, email, language }: SecurityMailRow,
): Promise<{ email: string; language: Language | null } | null> {
  if (userId === null) return email === null ? null : { email, language };
  const user = await findOwnUser(db, userId);
  return user && !user.suspended ? user : null;
}
