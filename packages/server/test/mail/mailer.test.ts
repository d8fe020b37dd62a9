import { afterAll, beforeAll, expect, test } from 'vitest';
import { mailHtml } from '../../src/mail/mail-html.ts';
import { createMailer } from '../../src/mail/mailer.ts';
import { mailTexts } from '../../src/messages/mail.ts';
import { type MailServer, SMTP_USER, startMailServer } from '../harness/smtp.ts';

let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.close());

const mail = mailTexts('en', {
  name: 'password_replaced',
  params: { user: 'zoë@example.org', host: 'reelay.example', passkeys: 0, revokedPasskeys: 1 },
});
const mailer = (smtpUrl = server.url, requireTls = false) =>
  createMailer({ smtpUrl, requireTls, from: 'Reelay <reelay@example.org>' });

test('a text is sent to exactly one address', async () => {
  await mailer().send('one@example.org', mail);
  const [received] = server.mails.splice(0);
  expect(received).toMatchObject({ from: 'reelay@example.org', to: ['one@example.org'] });
  expect(received?.content).toContain('\nSubject: Your Reelay password was changed\n');
  expect(received?.content).toContain('From: Reelay <reelay@example.org>');
  expect(received?.content).toContain('reelay.example was replaced');
});

test('a mail arrives as text and as HTML', async () => {
  const long = { ...mail, subject: 'Grüße', text: `Zoë — ${'wörter '.repeat(200)}\n\n${'x'.repeat(1_500)}\n` };
  for (const each of [mail, long]) {
    await mailer().send('one@example.org', each);
    const [received] = server.mails.splice(0);
    expect(received?.content).toMatch(/^Content-Type: multipart\/alternative;/m);
    expect(received?.content.slice(received.content.indexOf('\n\n') + 2)).toBe(each.text);
    expect(received?.html).toBe(mailHtml(each));
  }
});

test('an address is never parsed as a list', async () => {
  const list = 'one@example.org, two@example.org';
  await mailer()
    .send(list, mail)
    .catch(() => {});
  expect(server.mails.splice(0).filter(({ to }) => to.length > 1)).toEqual([]);
});

test('an unencrypted connection is refused if TLS is required', async () => {
  await expect(mailer(server.url, true).send('one@example.org', mail)).rejects.toThrow(/STARTTLS/);
  await mailer(`${server.url}?requireTLS=false`, true).send('one@example.org', mail);
  expect(server.mails.splice(0)).toHaveLength(1);
});

test('a wrong password is reported', async () => {
  const url = new URL(server.url);
  url.password = 'wrong';
  await expect(mailer(url.href).verify()).rejects.toThrow(/Wrong password/);
  await mailer().verify();
  expect(decodeURIComponent(url.username)).toBe(SMTP_USER);
});
