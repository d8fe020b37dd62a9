import type { states as English } from '../en/states.ts';
import type { Translation } from '../translation.ts';

export const states: Translation<typeof English> = {
  loading: 'Wird geladen',
  failed: 'Das hat nicht geklappt',
  offline: 'Keine Verbindung',
  offlineHint: 'Reelay antwortet nicht. Prüfe deine Verbindung; was du eingegeben hast, bleibt erhalten.',
  signedOut: 'Du bist abgemeldet',
  signedOutHint: 'Melde dich wieder an und wiederhole dann diesen Schritt.',
  unloaded: 'Dieser Teil konnte nicht geladen werden',
  unloadedHint: 'Vielleicht wurde Reelay aktualisiert. Lade die Seite neu, um fortzufahren.',
  reload: 'Seite neu laden',
  retry: 'Noch einmal versuchen',
  notFoundHint: 'Vielleicht ist der Link unvollständig, oder sein Ziel wurde gelöscht.',
  notFound: 'Seite nicht gefunden',
  keep: 'Behalten',
  close: 'Schließen',
  unsavedTitle: 'Änderungen verwerfen?',
  unsavedHint: 'Deine Eingaben sind noch nicht gespeichert.',
  keepEditing: 'Weiter bearbeiten',
  discard: 'Änderungen verwerfen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  clearSearch: 'Suche leeren',
  showPassword: 'Passwort anzeigen oder verbergen',
  home: 'Zur Startseite',
};
