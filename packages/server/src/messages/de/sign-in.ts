import type { SIGN_IN_MESSAGES, SIGN_UP_MESSAGES } from '../sign-in.ts';
import { translationOf } from '../translation.ts';

export const signUp = translationOf<typeof SIGN_UP_MESSAGES>()({
  SIGN_UP_CLOSED: 'Die Registrierung ist geschlossen.',
  SIGN_UP_TOKEN_NEEDED: 'Für die erste Registrierung brauchst du {token}.',
  token_printed: 'das Token, das der Dienst beim Start ausgegeben hat',
  token_unavailable:
    'ein Token. Setze PUBLIC_URL auf die öffentliche Adresse des Dienstes, starte ihn neu und benutze das Token, das er ausgibt',
});

export const signIn = translationOf<typeof SIGN_IN_MESSAGES>()({
  SECOND_FACTOR_REQUIRED: 'Gib den Code aus deiner Authenticator-App oder einen Backup-Code ein.',
  RESET_PASSWORD_DISABLED: 'Dieser Dienst kann keine E-Mails senden. Bitte den Betreiber um ein neues Passwort.',
  CODE_USED: 'Dieser Code oder ein späterer wurde schon benutzt. Warte auf den nächsten.',
  OPERATOR_NEEDED:
    'Du betreibst diesen Dienst, und er hat weitere Benutzer. Lösche sie zuerst mit npx reelay users delete.',
  INVALID_TOKEN: 'Dieser Link wurde schon benutzt oder ist abgelaufen. Fordere einen neuen an.',
  PASSKEY_REFUSED:
    'Der Passkey wurde nicht angenommen. Versuche es noch einmal, oder melde dich mit deinem Passwort an.',
  PASSKEYS_UNAVAILABLE:
    'Passkeys brauchen einen Hostnamen und https, oder localhost. Bitte den Betreiber, PUBLIC_URL zu setzen.',
  TOO_MANY_PASSKEYS: 'Du hast 20 Passkeys. Entferne einen, den du nicht benutzt.',
  UNKNOWN_PASSKEY: 'Der Passkey wurde nicht gefunden.',

  INVALID_EMAIL_OR_PASSWORD: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  INVALID_PASSWORD: 'Das Passwort ist falsch.',
  USER_ALREADY_EXISTS: 'Diesen Benutzer gibt es schon.',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'Diesen Benutzer gibt es schon. Nimm eine andere E-Mail-Adresse.',
  FAILED_TO_CREATE_USER: 'Der Benutzer konnte nicht angelegt werden.',
  FAILED_TO_CREATE_SESSION: 'Die Anmeldung ist fehlgeschlagen.',
  CREDENTIAL_ACCOUNT_NOT_FOUND: 'Für diesen Benutzer gibt es kein Passwort.',
  SESSION_EXPIRED: 'Die Sitzung ist abgelaufen. Melde dich noch einmal an.',
  INVALID_ORIGIN: 'Die Anfrage kommt von einer fremden Seite.',
  MISSING_OR_NULL_ORIGIN: 'Die Anfrage nennt nicht, von welcher Seite sie kommt.',
  CROSS_SITE_NAVIGATION_LOGIN_BLOCKED: 'Die Anmeldung von einer fremden Seite aus wurde verhindert.',
  TOTP_NOT_ENABLED: 'Die Anmeldung in zwei Schritten ist nicht eingerichtet.',
  TOTP_ALREADY_ENABLED: 'Die Anmeldung in zwei Schritten ist schon eingeschaltet.',
  TWO_FACTOR_NOT_ENABLED: 'Die Anmeldung in zwei Schritten ist nicht eingeschaltet.',
  BACKUP_CODES_NOT_ENABLED: 'Es gibt keine Backup-Codes.',
  INVALID_BACKUP_CODE: 'Dieser Backup-Code ist falsch oder schon benutzt.',
  INVALID_CODE: 'Der Code ist falsch oder abgelaufen.',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Zu viele Versuche. Melde dich noch einmal an.',
  ACCOUNT_TEMPORARILY_LOCKED: 'Zu viele falsche Codes. Die Anmeldung ist eine Zeit lang gesperrt. Versuche es später.',
  INVALID_TWO_FACTOR_COOKIE: 'Diese Anmeldung ist unbekannt oder abgelaufen. Melde dich noch einmal an.',
  ACCOUNT_SUSPENDED: 'Dieser Benutzer ist gesperrt.',
});
