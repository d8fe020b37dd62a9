/** The texts of mails about passwords, by language. `{name}` is a placeholder. */
import type { Language } from './languages.ts';
import { type MessageParams, type Placeholders, renderText } from './message.ts';

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

const GERMAN: Readonly<Record<MailName, MailText>> = {
  password_reset: {
    subject: 'Dein Reelay-Passwort zurücksetzen',
    text: `Jemand möchte das Passwort des Reelay-Benutzers {user} auf {host} zurücksetzen.

Öffne innerhalb von {minutes} Minuten diesen Link, um ein neues Passwort zu wählen. Er funktioniert einmal:

{link}

Wenn du das nicht warst, ignoriere diese Mail. Dein Passwort bleibt unverändert.
`,
  },
  password_replaced: {
    subject: 'Dein Reelay-Passwort wurde geändert',
    text: `Das Passwort des Reelay-Benutzers {user} auf {host} wurde über einen Link aus einer Mail ersetzt. Alle Sitzungen wurden beendet.

Wenn du das nicht warst, setze dein Passwort jetzt zurück und informiere den Betreiber von {host}.
`,
  },
};

export interface MailText {
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

const TEXTS: Readonly<Record<Language, Readonly<Record<MailName, MailText>>>> = { en: ENGLISH, de: GERMAN };

/** Renders a mail. */
export function mailTexts(language: Language, { name, params }: MailMessage): MailText {
  const { subject, text } = TEXTS[language][name];
  const given: MessageParams = params;
  return { subject: renderText(subject, given), text: renderText(text, given) };
}
