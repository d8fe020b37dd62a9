/** Error messages of the instance, in the supported languages. */

export type Locale = 'en' | 'de';

const TEXTS = {
  invalidToken: ['The access token is invalid', 'Das Zugriffstoken ist ungültig'],
  revokedToken: ['The access token was revoked', 'Das Zugriffstoken wurde widerrufen'],
  expiredToken: ['The access token expired', 'Das Zugriffstoken ist abgelaufen'],
  scopes: [
    'This action is outside the authorized scopes',
    'Diese Aktion liegt außerhalb der erlaubten Zugriffsbereiche',
  ],
  disabled: ['Your login is currently disabled', 'Deine Anmeldung ist derzeit deaktiviert'],
  unconfirmed: [
    'Your login is missing a confirmed e-mail address',
    'Deiner Anmeldung fehlt eine bestätigte E-Mail-Adresse',
  ],
  pending: ['Your login is currently pending approval', 'Deine Anmeldung wartet auf Freigabe'],
  suspended: ['Your login is currently suspended', 'Deine Anmeldung ist derzeit gesperrt'],
  notAllowed: ['This action is not allowed', 'Diese Aktion ist nicht erlaubt'],
  userNeeded: ['This method requires an authenticated user', 'Diese Methode braucht ein angemeldetes Konto'],
  notFound: ['Record not found', 'Eintrag nicht gefunden'],
  notReady: [
    'Cannot attach files that have not finished processing. Try again in a moment!',
    'Dateien, die noch verarbeitet werden, können nicht angehängt werden. Versuche es gleich noch einmal!',
  ],
  taken: [
    'Media {} not found or already attached to another post',
    'Medien {} wurden nicht gefunden oder bereits an einen anderen Beitrag angehängt',
  ],
  tooManyFiles: ['Cannot attach more than 4 files', 'Es können nicht mehr als 4 Dateien angehängt werden'],
  imagesAndVideo: [
    'Cannot attach a video to a post that already contains images',
    'Ein Video kann nicht an einen Beitrag angehängt werden, der schon Bilder enthält',
  ],
  invalid: ['Validation failed: {}', 'Gültigkeitsprüfung ist fehlgeschlagen: {}'],
  blank: ["Text can't be blank", 'Text muss ausgefüllt werden'],
  tooLong: ['Text character limit of {} exceeded', 'Text Zeichenlimit von {} überschritten'],
  fileType: [
    'File content type is invalid, File is invalid',
    'Datei-Inhaltstyp ist nicht gültig, Datei ist nicht gültig',
  ],
  fileBlank: ["File can't be blank", 'Datei muss ausgefüllt werden'],
  fileSize: ['File file size must be less than {}', 'Datei Dateigröße muss kleiner als {} sein'],
  noVideoStream: ['Video has no video stream', 'Video hat keinen Videostream'],
  dimensions: ['{} videos are not supported', 'Videos mit {} werden nicht unterstützt'],
  frameRate: ['{}fps videos are not supported', 'Videos mit {} Bildern pro Sekunde werden nicht unterstützt'],
  replyMissing: [
    'The post you are trying to reply to does not appear to exist.',
    'Der Beitrag, auf den du antworten möchtest, scheint nicht zu existieren.',
  ],
  mediaAndPoll: ['Cannot attach media to a post with a poll', 'Ein Beitrag mit Umfrage kann keine Medien enthalten'],
  tooFewOptions: ['Options must be more than one', 'Auswahlmöglichkeiten müssen mehr als eine sein'],
  pollTooShort: ['Expires at is too soon', 'Ende liegt zu früh'],
  tooSoon: ['Scheduled at The scheduled date must be in the future', 'Geplant für muss in der Zukunft liegen'],
  nameBlank: ["Application name can't be blank", 'Anwendungsname muss ausgefüllt werden'],
  redirectBlank: ["Redirect URI can't be blank", 'Weiterleitungs-URI muss ausgefüllt werden'],
  redirectInvalid: ['Redirect URI must be an absolute URI.', 'Weiterleitungs-URI muss absolut sein.'],
  scopesInvalid: [
    "Scopes doesn't match configured on the server.",
    'Befugnisse stimmen nicht mit denen auf dem Server überein.',
  ],
  tooMany: ['Too many requests', 'Zu viele Anfragen'],
  temporary: [
    'There was a temporary problem serving your request, please try again',
    'Bei deiner Anfrage gab es ein vorübergehendes Problem, bitte versuche es noch einmal',
  ],
} as const satisfies Record<string, readonly [en: string, de: string]>;

export type TextKey = keyof typeof TEXTS;

/** Returns a message in a language, with `{}` filled in. */
export function text(locale: Locale, key: TextKey, filling = ''): string {
  return TEXTS[key][locale === 'de' ? 1 : 0].replace('{}', () => filling);
}

/** Wraps a message in the "Validation failed" sentence. */
export function invalid(locale: Locale, key: TextKey, filling = ''): string {
  return text(locale, 'invalid', text(locale, key, filling));
}

/** Returns the first supported language of an Accept-Language header, by weight (RFC 9110 12.5.4). */
export function localeOf(acceptLanguage: string | undefined): Locale {
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const weight = parameters.map((one) => /^\s*q=([\d.]+)$/.exec(one)?.[1]).find(Boolean);
      return { language: tag.split('-')[0] ?? '', weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ language, weight }) => (language === 'en' || language === 'de') && weight > 0)
    .sort((a, b) => b.weight - a.weight);
  return wanted[0]?.language === 'de' ? 'de' : 'en';
}
