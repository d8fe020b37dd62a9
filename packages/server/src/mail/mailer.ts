/** Sends mail through the operator's SMTP server. */
import type { MailConfig } from '../config/config.ts';
import type { Mail } from '../messages/mail.ts';
import { mailHtml } from './mail-html.ts';

export interface Mailer {
  /** Sends one mail as text and as HTML. @throws Error of the SMTP client, which may contain the recipient's address */
  send(to: string, mail: Mail): Promise<void>;
  /** Connects and authenticates without sending. @throws Error of the SMTP client */
  verify(): Promise<void>;
}

/** Connecting, the greeting and each response may take this long, in ms. */
const WITHIN_MS = 10_000;

/**
 * Creates a mailer. It connects for each mail, and loads the SMTP client on first use.
 *
 * The connection must be encrypted, because mails contain links that replace a password. Parameters of the URL take
 * precedence: `?requireTLS=false`.
 */
export function createMailer({ smtpUrl, from, requireTls }: MailConfig): Mailer {
  const connect = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url: smtpUrl,
      requireTLS: requireTls,
      connectionTimeout: WITHIN_MS,
      greetingTimeout: WITHIN_MS,
      socketTimeout: WITHIN_MS,
      dnsTimeout: WITHIN_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  return {
    async send(to, mail) {
      const { subject, text } = mail;
      const html = mailHtml(mail);
      const headers = { 'Auto-Submitted': 'auto-generated' };
      // As an object, so that the address is not parsed as a list.
      await (await connect()).sendMail({ from, to: { name: '', address: to }, subject, text, html, headers });
    },
    async verify() {
      await (await connect()).verify();
    },
  };
}

/** What may be logged of an SMTP client's error: its message may contain an address. */
export function codesOf(error: unknown): { code?: unknown; responseCode?: unknown } {
  if (typeof error !== 'object' || error === null) return {};
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return { code, responseCode };
}
