/** The texts of mails about passwords and security events, by language. `{name}` is a placeholder. */
import type { Language } from './languages.ts';
import { type MessageParams, type Placeholders, renderText } from './message.ts';

const ENGLISH = {
  password_reset: {
    subject: 'Reset your Reelay password',
    text: `Somebody asked to reset the password of the Reelay user {user} at {host}.

To choose a new password, open this link within {minutes} {minutes|minute|minutes}. It works once:

{link}

If you did not ask for this, ignore this mail. Your password stays unchanged.
`,
    action: 'Choose a new password',
  },
  password_replaced: {
    subject: 'Your Reelay password was changed',
    text: `The password of the Reelay user {user} at {host} was replaced with a link from a mail. All sessions were ended.

Passkeys removed: {revokedPasskeys}. Passkeys that can still sign in: {passkeys}.

If this was not you, reset your password now and tell the operator of {host}.
`,
  },
  password_changed: {
    subject: 'Your Reelay password was changed',
    text: `The password of the Reelay user {user} at {host} was changed. All other sessions were ended.

Passkeys removed: {revokedPasskeys}. Passkeys that can still sign in: {passkeys}.

If this was not you, reset your password now and tell the operator of {host}.
`,
  },
  password_set: {
    subject: 'Your Reelay password was changed',
    text: `The operator of {host} set a new password for the Reelay user {user}. All sessions were ended.

Passkeys removed: {revokedPasskeys}. Passkeys that can still sign in: {passkeys}.

If you did not expect this, ask the operator of {host}.
`,
  },
  code_reused: {
    subject: 'A sign-in code of your Reelay account was used twice',
    text: `Somebody entered a code of your authenticator app a second time for the Reelay user {user} at {host}. The second attempt was refused. It had the right password or session.

If this was not you, somebody knows your password and has seen a code. Change your password now, end all other sessions, and tell the operator of {host}.
`,
  },
  passkey_added: {
    subject: 'A passkey was added to your Reelay account',
    text: `A passkey was added for the Reelay user {user} at {host}. It signs in without the password.

If this was not you, reset your password now: this also removes all passkeys. Tell the operator of {host}.
`,
  },
  passkey_removed: {
    subject: 'A passkey was removed from your Reelay account',
    text: `A passkey of the Reelay user {user} at {host} was removed. It can no longer sign in.

If this was not you, somebody knows your password. Change your password now, end all other sessions, and tell the operator of {host}.
`,
  },
  second_factor_enabled: {
    subject: 'Two-step verification of your Reelay account was turned on',
    text: `Two-step verification of the Reelay user {user} at {host} was turned on. Signing in with the password now needs a code of an authenticator app or a backup code.

If this was not you, somebody knows your password. Tell the operator of {host}, who can turn it off.
`,
  },
  second_factor_disabled: {
    subject: 'Two-step verification of your Reelay account was turned off',
    text: `Two-step verification of the Reelay user {user} at {host} was turned off. The password alone signs in now.

If this was not you, reset your password now and tell the operator of {host}.
`,
  },
  backup_codes_created: {
    subject: 'New backup codes of your Reelay account were created',
    text: `New backup codes of the Reelay user {user} at {host} were created. The earlier ones no longer work.

If this was not you, somebody knows your password. Change your password now, end all other sessions, create new backup codes, and tell the operator of {host}.
`,
  },
  api_key_created: {
    subject: 'An API key of your Reelay account was created',
    text: `An API key of the Reelay user {user} at {host} was created. It begins with {key}. It replaces any earlier key.

If this was not you, revoke the key in the settings, change your password, and tell the operator of {host}.
`,
  },
  user_deleted: {
    subject: 'Your Reelay account was deleted',
    text: `The Reelay user {user} at {host} was deleted, with all posts, rules and connected accounts. Published posts stay at their platforms.

If you did not expect this, ask the operator of {host}.
`,
  },
} as const satisfies Record<string, MailText>;

const GERMAN: { readonly [Name in MailName]: Readonly<Record<keyof (typeof ENGLISH)[Name], string>> } = {
  password_reset: {
    subject: 'Dein Reelay-Passwort zurücksetzen',
    text: `Jemand möchte das Passwort des Reelay-Benutzers {user} auf {host} zurücksetzen.

Öffne innerhalb von {minutes} {minutes|Minute|Minuten} diesen Link, um ein neues Passwort zu wählen. Er funktioniert einmal:

{link}

Wenn du das nicht warst, ignoriere diese Mail. Dein Passwort bleibt unverändert.
`,
    action: 'Neues Passwort wählen',
  },
  password_replaced: {
    subject: 'Dein Reelay-Passwort wurde geändert',
    text: `Das Passwort des Reelay-Benutzers {user} auf {host} wurde über einen Link aus einer Mail ersetzt. Alle Sitzungen wurden beendet.

Entfernte Passkeys: {revokedPasskeys}. Passkeys, die sich noch anmelden können: {passkeys}.

Wenn du das nicht warst, setze dein Passwort jetzt zurück und informiere den Betreiber von {host}.
`,
  },
  password_changed: {
    subject: 'Dein Reelay-Passwort wurde geändert',
    text: `Das Passwort des Reelay-Benutzers {user} auf {host} wurde geändert. Alle anderen Sitzungen wurden beendet.

Entfernte Passkeys: {revokedPasskeys}. Passkeys, die sich noch anmelden können: {passkeys}.

Wenn du das nicht warst, setze dein Passwort jetzt zurück und informiere den Betreiber von {host}.
`,
  },
  password_set: {
    subject: 'Dein Reelay-Passwort wurde geändert',
    text: `Der Betreiber von {host} hat für den Reelay-Benutzer {user} ein neues Passwort gesetzt. Alle Sitzungen wurden beendet.

Entfernte Passkeys: {revokedPasskeys}. Passkeys, die sich noch anmelden können: {passkeys}.

Wenn du das nicht erwartet hast, frage den Betreiber von {host}.
`,
  },
  code_reused: {
    subject: 'Ein Code deines Reelay-Kontos wurde zweimal benutzt',
    text: `Jemand hat für den Reelay-Benutzer {user} auf {host} einen Code deiner Authenticator-App ein zweites Mal eingegeben. Der zweite Versuch wurde abgelehnt. Er hatte das richtige Passwort oder eine Sitzung.

Wenn du das nicht warst, kennt jemand dein Passwort und hat einen Code gesehen. Ändere jetzt dein Passwort, beende alle anderen Sitzungen und informiere den Betreiber von {host}.
`,
  },
  passkey_added: {
    subject: 'Ein Passkey wurde zu deinem Reelay-Konto hinzugefügt',
    text: `Für den Reelay-Benutzer {user} auf {host} wurde ein Passkey hinzugefügt. Er meldet ohne Passwort an.

Wenn du das nicht warst, setze dein Passwort jetzt zurück: das entfernt auch alle Passkeys. Informiere den Betreiber von {host}.
`,
  },
  passkey_removed: {
    subject: 'Ein Passkey wurde von deinem Reelay-Konto entfernt',
    text: `Ein Passkey des Reelay-Benutzers {user} auf {host} wurde entfernt. Er kann sich nicht mehr anmelden.

Wenn du das nicht warst, kennt jemand dein Passwort. Ändere jetzt dein Passwort, beende alle anderen Sitzungen und informiere den Betreiber von {host}.
`,
  },
  second_factor_enabled: {
    subject: 'Die Anmeldung in zwei Schritten wurde eingeschaltet',
    text: `Die Anmeldung in zwei Schritten des Reelay-Benutzers {user} auf {host} wurde eingeschaltet. Die Anmeldung mit dem Passwort braucht jetzt einen Code einer Authenticator-App oder einen Backup-Code.

Wenn du das nicht warst, kennt jemand dein Passwort. Informiere den Betreiber von {host}: er kann sie ausschalten.
`,
  },
  second_factor_disabled: {
    subject: 'Die Anmeldung in zwei Schritten wurde ausgeschaltet',
    text: `Die Anmeldung in zwei Schritten des Reelay-Benutzers {user} auf {host} wurde ausgeschaltet. Das Passwort allein genügt jetzt zum Anmelden.

Wenn du das nicht warst, setze dein Passwort jetzt zurück und informiere den Betreiber von {host}.
`,
  },
  backup_codes_created: {
    subject: 'Neue Backup-Codes deines Reelay-Kontos wurden erzeugt',
    text: `Für den Reelay-Benutzer {user} auf {host} wurden neue Backup-Codes erzeugt. Die früheren gelten nicht mehr.

Wenn du das nicht warst, kennt jemand dein Passwort. Ändere jetzt dein Passwort, beende alle anderen Sitzungen, erzeuge neue Backup-Codes und informiere den Betreiber von {host}.
`,
  },
  api_key_created: {
    subject: 'Ein API-Schlüssel deines Reelay-Kontos wurde erzeugt',
    text: `Für den Reelay-Benutzer {user} auf {host} wurde ein API-Schlüssel erzeugt. Er beginnt mit {key} und ersetzt jeden früheren Schlüssel.

Wenn du das nicht warst, widerrufe den Schlüssel in den Einstellungen, ändere dein Passwort und informiere den Betreiber von {host}.
`,
  },
  user_deleted: {
    subject: 'Dein Reelay-Konto wurde gelöscht',
    text: `Der Reelay-Benutzer {user} auf {host} wurde gelöscht, mit allen Posts, Regeln und verbundenen Konten. Veröffentlichte Posts bleiben auf ihren Plattformen.

Wenn du das nicht erwartet hast, frage den Betreiber von {host}.
`,
  },
};

export interface MailText {
  subject: string;
  /** Paragraphs, separated by blank lines. */
  text: string;
  /** Label of the button that opens the link of the text. It is shown if exactly one link has its own line. */
  action?: string;
}

/** A mail as the mailer sends it. */
export interface Mail extends MailText {
  language: Language;
}

export type MailName = keyof typeof ENGLISH;

type Params<Name extends MailName> = Readonly<
  Record<Placeholders<(typeof ENGLISH)[Name]['subject' | 'text']>, string | number>
>;

/** A mail, and the parameters that its text needs. */
export type MailMessage = { [Name in MailName]: { name: Name; params: Params<Name> } }[MailName];

type SecurityMailName = Exclude<MailName, 'password_reset' | typeof USER_DELETED>;

/** The only mail whose user no longer exists. */
export const USER_DELETED = 'user_deleted' satisfies MailName;

/** A mail about a security event, without the parameters that every mail has. It contains no secret. */
export type SecurityMail = {
  [Name in SecurityMailName]: { name: Name; params: Omit<Params<Name>, 'user' | 'host'> };
}[SecurityMailName];

const TEXTS: Readonly<Record<Language, Readonly<Record<MailName, MailText>>>> = { en: ENGLISH, de: GERMAN };

/** Renders a mail. */
export function mailTexts(language: Language, { name, params }: MailMessage): Mail {
  const { subject, text, action } = TEXTS[language][name];
  const given: MessageParams = params;
  return { language, subject: renderText(subject, given), text: renderText(text, given), action };
}
