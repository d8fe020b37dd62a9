import type { shell as English } from '../en/shell.ts';
import type { Translation } from '../translation.ts';

export const shell: Translation<typeof English> = {
  skip: 'Zum Inhalt springen',
  menu: 'Menü',
  navigation: 'Seiten',
  daily: 'Tägliche Seiten',
  compose: 'Neuer Beitrag',
  posts: 'Beiträge',
  calendar: 'Kalender',
  accounts: 'Konten',
  reposts: 'Reposts',
  settings: 'Einstellungen',
  operator: 'Betrieb',
  sandbox: 'Sandbox',
  userMenu: 'Benutzermenü',
  appearance: 'Darstellung',
  scheme: { auto: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
  language: 'Sprache',
  signOut: 'Abmelden',
  reconnecting: 'Verbindung unterbrochen. Wird wiederhergestellt …',
  bell: '{count, plural, =0 {Benachrichtigungen} other {Benachrichtigungen, # ungelesen}}',
};
