/** The texts of mails, by language. `{name}` is a placeholder. */
import { type MessageParams, type Placeholders, renderText } from './message.ts';

export const LANGUAGES = ['en'] as const;
export type Language = (typeof LANGUAGES)[number];

const ENGLISH = {
  password_reset: {
    subject: 'Reset your Reelay password',
    text: `Somebody asked to reset the password of the Reelay user {user} at {host}.

To choose a new password, open this link within {minutes} minutes. It works once:

{link}

If you did not ask for this, ignore this mail. Your password stays unchanged.
`,
  },
  password_replaced: {
    subject: 'Your Reelay password was changed',
    text: `The password of the Reelay user {user} at {host} was replaced with a link from a mail. All sessions were ended.

If this was not you, reset your password now and tell the operator of {host}.
`,
  },
} as const satisfies Record<string, MailText>;

interface MailText {
  subject: string;
  text: string;
}

export type MailName = keyof typeof ENGLISH;

/** A mail, and the parameters that its text needs. */
export type MailMessage = {
  [Name in MailName]: {
    name: Name;
    params: Readonly<Record<Placeholders<(typeof ENGLISH)[Name]['subject' | 'text']>, string | number>>;
  };
}[MailName];

const TEXTS: Readonly<Record<Language, Readonly<Record<MailName, MailText>>>> = { en: ENGLISH };

/** Renders a mail. */
export function mailTexts(language: Language, { name, params }: MailMessage): MailText {
  const { subject, text } = TEXTS[language][name];
  const given: MessageParams = params;
  return { subject: renderText(subject, given), text: renderText(text, given) };
}
