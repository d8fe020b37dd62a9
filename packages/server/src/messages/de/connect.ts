import type { CONNECT_TEXTS } from '../connect.ts';
import { translationOf } from '../translation.ts';

export const connect = translationOf<typeof CONNECT_TEXTS>()({
  requested_by: 'Angefordert über: {actor}.',
  redirected: 'Der Browser wurde zu {origin} geleitet.',
  code_received: '{platform} hat den Browser mit einem Code zurückgeleitet.',
  code_exchanged: 'Der Code wurde gegen Tokens eingetauscht.',
  scopes_granted: 'Erteilt: {scopes}.',
  scopes_unknown: '{platform} hat nicht mitgeteilt, welche Berechtigungen erteilt sind.',
  accounts_found: 'Gefunden: {names}.',
  accounts_selected: 'Ausgewählt: {names}.',
  login_accepted: '{platform} hat die Zugangsdaten angenommen.',
  accounts_connected: 'Verbunden: {names}.',

  // Why a platform cannot reach this service.
  host_private: '{host} ist nur auf diesem Rechner oder in seinem lokalen Netz erreichbar',
  not_https: 'sie ist nicht https',

  service_unreachable: '{platform} lädt Videos von diesem Dienst herunter, kann ihn aber nicht erreichen: {problem}.',
  platform_unreachable: '{platform} ist unter {host} nicht erreichbar ({reason}).',
  answer_useless: 'keine brauchbare Antwort',
  variables_repeat: 'Diese Variablen bedeuten dasselbe: {variables}. Setze nur eine davon.',
  variables_mixed: 'Diese Variablen gehören nicht zusammen: {variables}. Setze entweder {app} oder {client}.',

  // Whether an application is valid.
  application_verified: '{platform} nimmt die ID und das Geheimnis an.',
  application_rejected: '{platform} lehnt die ID oder das Geheimnis ab: „{words}“',
  application_unverified: '{platform} bestätigt die ID und das Geheimnis nicht: „{words}“',
  application_unreachable: '{platform} war nicht erreichbar ({reason}).',
  application_not_verifiable: '{platform} prüft Anwendungen erst, wenn ein Konto verbunden wird.',

  with_code: '{reason} ({code})',

  // Notes.
  plan_full: 'Dein Tarif erlaubt die anderen Konten nicht.',
  setting_not_allowed: 'Dieses Konto erlaubt „{value}“ bei {setting} nicht. Erlaubt: {allowed}.',
  setting_required: 'Wähle dies bei jedem Beitrag oder einmal in den Einstellungen des Kontos: {setting}.',
});
