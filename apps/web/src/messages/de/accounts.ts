import type { accounts as English } from '../en/accounts.ts';
import type { Translation } from '../translation.ts';

export const accounts: Translation<typeof English> = {
  title: 'Konten',
  empty: 'Verbinde die Konten, auf denen du veröffentlichst.',
  count: '{count, plural, one {# verbundenes Konto} other {# verbundene Konten}}',
  status: { CONNECTED: 'Verbunden', EXPIRED: 'Neu verbinden', REVOKED: 'Zugriff entzogen' },
  simulated: 'Simuliert',
  endsAt: 'Der Zugriff endet am {at}',
  disconnect: 'Trennen',
  disconnectTitle: '{name} trennen?',
  disconnectHint:
    'Beiträge, die noch nicht begonnen haben, schlagen auf diesem Konto fehl, und seine Regeln werden gelöscht. Was veröffentlicht ist, bleibt.',
  try: 'Mit simulierten Konten ausprobieren',
  tryHint:
    'Reelay bringt jede Plattform als Nachbau mit. Verbinde ein Konto auf allen zwölf und veröffentliche: Nichts verlässt diesen Dienst.',
  tryButton: 'Zwölf simulierte Konten verbinden',
  post: 'Etwas veröffentlichen',
  connect: 'Konto verbinden',
  connectTitle: '{platform} verbinden',
  connectButton: 'Verbinden',
  field: { service: 'Server', identifier: 'Benutzername oder Kanal', secret: 'App-Passwort oder Bot-Token' },
};
