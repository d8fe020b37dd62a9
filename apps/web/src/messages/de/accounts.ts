import type { accounts as English } from '../en/accounts.ts';
import type { Translation } from '../translation.ts';

export const accounts: Translation<typeof English> = {
  title: 'Konten',
  empty: 'Verbinde die Konten, auf denen du veröffentlichst.',
  count: '{count, plural, one {# verbundenes Konto} other {# verbundene Konten}}',
  status: { CONNECTED: 'Verbunden', EXPIRED: 'Zugriff abgelaufen', REVOKED: 'Zugriff entzogen' },
  simulated: 'Simuliert',
  endsAt: 'Der Zugriff endet am {at}',
  disconnect: 'Trennen',
  disconnectTitle: '{name} trennen?',
  disconnectHint:
    'Beiträge, die noch nicht begonnen haben, schlagen auf diesem Konto fehl, und seine Regeln werden gelöscht. Was veröffentlicht ist, bleibt.',
  disconnectLost:
    '{posts, plural, =0 {Kein geplanter Beitrag schlägt} one {# geplanter Beitrag schlägt} other {# geplante Beiträge schlagen}} auf diesem Konto fehl. {rules, plural, =0 {Keine Regel wird} one {# Regel wird} other {# Regeln werden}} gelöscht, und {changedRules, plural, =0 {keine Regel verliert} one {# Regel verliert} other {# Regeln verlieren}} dieses Ziel. Was veröffentlicht ist, bleibt.',
  reconnect: 'Neu verbinden',
  reconnectTitle: '{name} neu verbinden',
  reconnectHint: 'Melde dich noch einmal mit diesem Konto an. Geplante Beiträge und Regeln bleiben erhalten.',
  notSetUp: 'Nicht eingerichtet',
  notSetUpHint: 'Einige Plattformen sind nicht eingerichtet. Frag den Betreiber dieses Dienstes.',
  try: 'Mit simulierten Konten ausprobieren',
  tryHint:
    'Reelay bringt jede Plattform als Nachbau mit. Verbinde ein Konto auf allen zwölf und veröffentliche: Nichts verlässt diesen Dienst.',
  tryButton: 'Zwölf simulierte Konten verbinden',
  post: 'Etwas veröffentlichen',
  connect: 'Konto verbinden',
  connectTitle: '{platform} verbinden',
  connectButton: 'Verbinden',
  field: {
    login: 'Anmeldung',
    service: 'Server',
    identifier: 'Benutzername oder Kanal',
    secret: 'App-Passwort oder Bot-Token',
  },
};
