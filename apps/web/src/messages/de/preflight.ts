import type { preflight as English } from '../en/preflight.ts';
import type { Translation } from '../translation.ts';

export const preflight: Translation<typeof English> = {
  title: 'Vor dem Veröffentlichen',
  fits: '{count, plural, one {Bereit für # Konto.} other {Bereit für alle # Konten.}}',
  notVertical: 'Das Video ist nicht hochkant',
  notVerticalHint: 'Plattformen zeigen kurze Videos im Format 9:16. Schneide die Ränder ab oder füge Balken hinzu.',
  crop: 'Auf 9:16 zuschneiden',
  pad: 'Balken hinzufügen',
  cropped: 'Das Video wird auf 9:16 zugeschnitten.',
  padded: 'Das Video bekommt Balken, damit es 9:16 wird.',
  undo: 'Rückgängig',
  conversions: 'Reelay wandelt das Video für {platforms} um. Du musst nichts tun.',
  details: 'Einzelheiten',
  outcome: {
    fits: 'passt',
    converted: 'das Video wird umgewandelt',
    waits: 'der Beitrag wartet',
    fails: 'der Beitrag würde fehlschlagen',
    refused: 'nicht möglich',
  },
  repair: {
    shorten: 'Für dieses Konto kürzen',
    options: 'Optionen öffnen',
    reconnect: 'Neu verbinden',
    deselect: 'Dieses Konto weglassen',
  },
};
