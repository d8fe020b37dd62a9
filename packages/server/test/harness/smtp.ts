/** A real SMTP server on loopback that keeps the mails it receives. */
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers, and the text part decoded. */
  content: string;
  /** The HTML part, decoded; empty if the mail has only text. */
  html: string;
}

export interface MailServer extends AsyncDisposable {
  /** With user and password. */
  url: string;
  mails: ReceivedMail[];
  /** Makes the server refuse the recipients of further mails. */
  refuse(refused: boolean): void;
  close(): Promise<void>;
}

export const SMTP_USER = 'reelay@example.org';
export const SMTP_PASSWORD = 'p@ss/word:1';

/** Starts a server on a free port. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let refuses = false;
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _, done) {
      if (username === SMTP_USER && password === SMTP_PASSWORD) return done(null, { user: username });
      done(new Error('Wrong password'));
    },
    onRcptTo(_, __, done) {
      done(refuses ? new Error('No such mailbox') : null);
    },
    async onData(stream, { envelope }, done) {
      const raw = await text(stream);
      mails.push({
        from: envelope.mailFrom ? envelope.mailFrom.address : '',
        to: envelope.rcptTo.map(({ address }) => address),
        ...decoded(raw.replaceAll('\r\n', '\n')),
      });
      done();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as { port: number };
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return {
    url: `smtp://${encodeURIComponent(SMTP_USER)}:${encodeURIComponent(SMTP_PASSWORD)}@127.0.0.1:${port}`,
    mails,
    refuse: (refused) => {
      refuses = refused;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Decodes the parts, and the words of headers that are not ASCII (RFC 2047). */
function decoded(raw: string): Pick<ReceivedMail, 'content' | 'html'> {
  const end = raw.indexOf('\n\n');
  const head = raw.slice(0, end).replaceAll('?=\n =?', '?= =?');
  const headers = head
    .replaceAll('?= =?', '?==?')
    .replaceAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, form: string, text: string) =>
      form.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString()
        : fromQuotedPrintable(text.replaceAll('_', ' ')),
    );
  const boundary = /^content-type: multipart\/alternative;\s+boundary="([^"]+)"/im.exec(head)?.[1];
  if (boundary === undefined) return { content: `${headers}\n\n${bodyOf(raw)}`, html: '' };
  // The line break before a boundary belongs to it (RFC 2046, 5.1.1).
  const parts = raw.slice(end).split(`\n--${boundary}`).slice(1, -1);
  const partOf = (type: string) => parts.find((part) => part.startsWith(`\nContent-Type: ${type}; charset=utf-8\n`));
  return { content: `${headers}\n\n${bodyOf(partOf('text/plain') ?? '')}`, html: bodyOf(partOf('text/html') ?? '') };
}

/** Decodes the body of a part. */
function bodyOf(part: string): string {
  const end = part.indexOf('\n\n');
  const body = part.slice(end + 2);
  const encoding = /^content-transfer-encoding: (\S+)$/im.exec(part.slice(0, end))?.[1]?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  return encoding === 'quoted-printable' ? fromQuotedPrintable(body) : body;
}

/** Joins soft line breaks and decodes UTF-8. */
function fromQuotedPrintable(text: string): string {
  const bytes = text
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
