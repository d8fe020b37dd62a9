/** Puts the loops of mails to users together, with their log events. */
import type { Config } from '../config/config.ts';
import type { Connector } from '../connectors/contract.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../lib/log.ts';
import { codesOf, type Mailer } from '../mail/mailer.ts';
import type { Languages } from '../messages/languages.ts';
import type { DueLoop } from '../queue/loop.ts';
import { createSecurityMailLoop } from '../users/security-mail-loop.ts';
import { createNotificationLoop } from './mail-loop.ts';

interface Deps {
  db: Database;
  config: Pick<Config, 'publicUrl'>;
  connectors: Readonly<Record<string, Connector>>;
  languages: Languages;
  mailer: Mailer | null;
  log: Log;
}

export function wireNotifications({
  db,
  config,
  connectors,
  languages,
  mailer,
  log,
}: Deps): Record<'notifications' | 'security mails', DueLoop> {
  const notifications = createNotificationLoop({
    db,
    connectors,
    languages,
    mailer,
    publicUrl: config.publicUrl,
    onSent: (userId, facts) => log.info({ event: 'notifications_mailed', userId, facts }, 'Notifications mailed'),
    onMailFailed: (userId, error) =>
      log.warn({ event: 'notifications_not_mailed', userId, ...codesOf(error) }, 'A mail failed; retrying'),
    onGivenUp: (userId, facts) =>
      log.warn({ event: 'notifications_given_up', userId, facts }, 'Notifications were not mailed within a day'),
    onError: (err) => log.warn({ err, loop: 'notifications' }, 'Failed; retrying'),
    monotonic: () => performance.now(),
  });
  const securityMails = createSecurityMailLoop({
    db,
    mailer,
    publicUrl: config.publicUrl,
    onFailed: (userId, error) =>
      log.warn({ event: 'security_mail_failed', userId, ...codesOf(error) }, 'A mail failed; retrying'),
    onGivenUp: (userId, name) =>
      log.warn({ event: 'security_mail_given_up', userId, name }, 'A mail was not sent within a day'),
    onError: (err) => log.warn({ err, loop: 'security mails' }, 'Failed; retrying'),
  });
  return { notifications, 'security mails': securityMails };
}
