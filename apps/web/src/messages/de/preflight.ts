import type { preflight as English } from '../en/preflight.ts';
import type { Translation } from '../translation.ts';

export const preflight: Translation<typeof English> = {
  title: 'Vor dem Veröffentlichen',
  fits: '{count, plural, one {Bereit für # Konto.} other {Bereit für alle # Konten.}}',
  notVertical: 'Das Video ist nicht hochkant',
  notVerticalHint: 'Plattformen zeigen kurze Videos im Format 9:16. Schneide die Ränder ab oder füge Balken hinzu.',
  fitTo: { pad: 'Balken hinzufügen', blur: 'Unscharfe Balken', crop: 'Auf 9:16 zuschneiden' },
  fitted: {
    pad: 'Das Video bekommt Balken, damit es 9:16 wird.',
    blur: 'Das Video bekommt unscharfe Balken, damit es 9:16 wird.',
    crop: 'Das Video wird auf 9:16 zugeschnitten.',
  },
  trimmed: 'Nur der gewählte Ausschnitt des Videos wird gepostet.',
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
