/**
 * Sends notifications by mail, at least once. A fact waits a minute for others, and a user gets at most one mail in five
 * minutes: all facts since the last one. A crash between sending and recording repeats one mail.
 */
import type { Connector } from '../connectors/contract.ts';
import type { Database } from '../db/database.ts';
import { HOUR, MINUTE } from '../lib/time.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Languages } from '../messages/languages.ts';
import { digestMail } from '../messages/notification-mail.ts';
import { type Claim, runOrRetry } from '../queue/claim.ts';
import { createDueLoop, type DueLoop } from '../queue/loop.ts';
import { noticeEndingAccess } from './ending-access.ts';
import { withSubjects } from './entries.ts';
import type { NotificationKind } from './kinds.ts';
import { dueFacts, dueMails, findRecipient, finishMail, gatherMails, type MailRow } from './mail-store.ts';
import { mailedEntry } from './mailed-entry.ts';
import { entriesOf } from './notification-store.ts';
import { readSettings } from './setting-store.ts';

export interface NotificationDeps {
  db: Database;
  connectors: Readonly<Record<string, Pick<Connector, 'name' | 'oauth' | 'credentials'>>>;
  languages: Languages;
  /** null: nothing is mailed, and facts wait without being gathered. */
  mailer: Mailer | null;
  /** Of the dashboard's links. */
  publicUrl: string;
  onSent(userId: string, facts: number): void;
  /** A mail could not be sent, and is tried again. The error may contain the address. */
  onMailFailed(userId: string, error: unknown): void;
  /** Facts were not mailed within a day. */
  onGivenUp(userId: string, facts: number): void;
  onError(error: unknown): void;
  /** ms of a monotonic clock. */
  monotonic(): number;
}

/** Longer than the SMTP client takes, in ms. */
const LEASE_MS = 2 * MINUTE;
const MAX_PAUSE_MS = HOUR;
const POLL_MS = 5_000;
/** Interval of the search for accesses that end, in ms. */
const ENDINGS_EVERY_MS = 10 * MINUTE;

/** Creates the loop. It is not started yet. */
export function createNotificationLoop(deps: NotificationDeps): DueLoop {
  const { db, connectors, mailer, onError, monotonic } = deps;
  return createDueLoop<Claim<MailRow>>({
    chore: { everyMs: ENDINGS_EVERY_MS, run: () => noticeEndingAccess(db, connectors) },
    async claim(limit) {
      if (!mailer) return [];
      await gatherMails(db);
      return dueMails.claim(db, { limit, leaseMs: LEASE_MS });
    },
    run: (claim) =>
      runOrRetry(db, dueMails, claim, {
        run: async () => mailer && (await mailFacts(deps, mailer, claim)),
        onError: (error) => deps.onMailFailed(claim.key, error),
        maxPauseMs: MAX_PAUSE_MS,
      }),
    concurrency: 4,
    withinMs: LEASE_MS,
    clock: monotonic,
    onError,
    everyMs: POLL_MS,
  });
}

/** Mails what is due to one user. @throws the SMTP client's error */
async function mailFacts(deps: NotificationDeps, mailer: Mailer, claim: Claim<MailRow>): Promise<void> {
  const { db, connectors, languages, publicUrl } = deps;
  const userId = claim.key;
  const [recipient, settings, facts] = await Promise.all([
    findRecipient(db, userId),
    readSettings(db, userId),
    dueFacts(db, userId),
  ]);
  if (!recipient) return void (await dueMails.remove(db, claim));
  const wanted = facts.filter(
    ({ kind, isRead, isOld }) => settings[kind as NotificationKind]?.mail && !isRead && !isOld && !recipient.suspended,
  );
  const ids = wanted.map(({ id }) => id);
  const entries = (await withSubjects(deps, await entriesOf(db, ids))).filter(({ isResolved }) => !isResolved);
  if (entries.length > 0) {
    const url = `${publicUrl}/app`;
    const { language, renderIn } = await languages.texts(recipient.language ?? 'en');
    const wording = { render: renderIn(recipient.zone), english: languages.english.render };
    const nameOf = (platform: string) => connectors[platform]?.name ?? platform;
    const digest = digestMail(language, {
      entries: entries.map((entry) => mailedEntry(entry, { url, nameOf, wording })),
      zone: recipient.zone,
      host: new URL(publicUrl).host,
      settingsUrl: `${url}/settings#notifications`,
      url: `${url}/`,
    });
    await mailer.send(recipient.email, digest);
    deps.onSent(userId, ids.length);
  }
  const old = facts.filter(({ isOld }) => isOld).length;
  if (old > 0) deps.onGivenUp(userId, old);
  const sent = entries.length > 0 ? ids : [];
  const dropped = facts.map(({ id }) => id).filter((id) => !sent.includes(id));
  await finishMail(db, claim, { sent, dropped });
}
