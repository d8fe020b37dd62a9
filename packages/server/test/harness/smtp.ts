/** A real SMTP server on loopback that keeps the mails it receives. */
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and body, decoded. */
  content: string;
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
        content: fromQuotedPrintable(raw.replaceAll('\r\n', '\n')),
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

/** Joins soft line breaks and decodes ASCII characters. */
function fromQuotedPrintable(raw: string): string {
  if (!/^content-transfer-encoding: quoted-printable$/im.test(raw)) return raw;
  return raw
    .replaceAll('=\n', '')
    .replaceAll(/=([0-7][0-9A-F])/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
