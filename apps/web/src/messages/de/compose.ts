import type { compose as English } from '../en/compose.ts';
import type { Translation } from '../translation.ts';

export const compose: Translation<typeof English> = {
  title: 'Neuer Beitrag',
  description: 'Beschreibung',
  descriptionTooLong: 'Dieser Text hat {count, number} Zeichen. Höchstens {max, number} sind möglich.',
  accounts: 'Veröffentlichen auf',
  chooseAll: 'Alle auswählen',
  chooseNone: 'Keine auswählen',
  find: 'Konto finden',
  chosenOf: '{count} von {total} ausgewählt',
  noMatch: 'Kein Konto passt.',
  noAccounts: 'Noch ist kein Konto verbunden.',
  connectAccounts: 'Konten verbinden',
  try: {
    title: 'Mit simulierten Konten ausprobieren',
    text: 'Reelay verbindet auf jeder von zwölf simulierten Plattformen ein Konto und wählt ein Beispielvideo. Beantworte, was TikTok und YouTube fragen, und veröffentliche. Nichts verlässt diesen Dienst.',
    button: 'Zwölf simulierte Konten verbinden',
    caption: 'Hallo von Reelay! #firstlight',
  },
  simulated: 'Simuliert',
  reconnectFirst: 'Verbinde dieses Konto zuerst neu',
  post: '{count, plural, =0 {Veröffentlichen} one {Auf # Konto veröffentlichen} other {Auf # Konten veröffentlichen}}',
  schedule: 'Planen für {at}',
  converting: 'Reelay macht das Video. Das kann eine Minute dauern. Lass diese Seite offen.',
  scheduleLater: 'Planen',
  problem: {
    noVideo: 'Wähle zuerst ein Video.',
    noAccount: 'Wähle mindestens ein Konto.',
    tooManyAccounts: 'Wähle höchstens 50 Konten.',
    longDescription: 'Kürze die Beschreibung.',
    refused: 'Das Video kann nicht veröffentlicht werden. Wähle ein anderes.',
    fit: 'Wähle, wie das Video passend wird.',
    part: 'Wähle einen Ausschnitt von 3 bis 90 Sekunden.',
    uploading: 'Das Video wird noch hochgeladen.',
  },
  reused: {
    title: 'Dieser Beitrag ist schon angelegt',
    text: 'Ein früherer Versuch ist angekommen, bevor du den Beitrag geändert hast. Sieh ihn dir zuerst an oder veröffentliche die geänderte Fassung zusätzlich.',
    open: 'Beiträge öffnen',
    another: 'Geänderte Fassung zusätzlich veröffentlichen',
  },
};
