import type { settings as English } from '../en/settings.ts';
import type { Translation } from '../translation.ts';

export const settings: Translation<typeof English> = {
  title: 'Einstellungen',
  key: 'API-Schlüssel',
  keyHint: 'Mit ihm veröffentlichen Programme in deinem Namen. Er wird einmal gezeigt, wenn er entsteht.',
  keyActive: 'ist aktiv',
  keyRevoked: 'ist widerrufen',
  keyCreated: 'erstellt am {at}',
  keyUsed: 'zuletzt benutzt am {at}',
  keyUnused: 'nie benutzt',
  keyCreate: 'Schlüssel erstellen',
  keyReplace: 'Schlüssel ersetzen',
  keyReplaceTitle: 'Den API-Schlüssel ersetzen?',
  keyRevoke: 'Schlüssel widerrufen',
  keyRevokeTitle: 'Den API-Schlüssel widerrufen?',
  keyLost: 'Der jetzige Schlüssel gilt sofort nicht mehr, in keinem Programm.',
  keyNew: 'Kopiere den Schlüssel jetzt. Er wird nicht noch einmal gezeigt.',
  keyExample: 'Zum Beispiel, um deine Konten aufzulisten:',
  copy: 'Kopieren',
  copied: 'Kopiert',
};
