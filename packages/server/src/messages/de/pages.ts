import type { PAGE_TEXTS, REFUSAL_TEXTS } from '../pages.ts';
import { translationOf } from '../translation.ts';

export const pages = translationOf<typeof PAGE_TEXTS>()({
  // In place of a dashboard that is not built.
  home: 'Veröffentlicht ein kurzes Hochkant-Video auf vielen Social-Media-Konten, auf jedem genau einmal.',
  home_not_built: 'Die Oberfläche und die API-Referenz sind nicht gebaut. Starte <code>npm start</code>, das baut sie.',
  home_document: '<a href="/api/v1/openapi.json">OpenAPI-Dokument</a> dieses Dienstes',
  home_sandbox: '<a href="/sandbox">Sandbox</a>: Beiträge auf den simulierten Plattformen',

  // The confirmation before an account is connected.
  confirm_title: 'Dein Konto bei {platform} verbinden?',
  confirm_lead:
    'Reelay möchte <strong>dein Konto bei {platform}</strong> mit dem Reelay-Benutzer <strong>{user}</strong> verbinden. Dieser Benutzer kann dann dort veröffentlichen.',
  confirm_sandbox: 'Das ist die Sandbox: {platform} ist simuliert, und nichts wird veröffentlicht.',
  confirm_user: 'Reelay-Benutzer',
  confirm_requested: 'Angefordert',
  confirm_account: 'Konto',
  confirm_server: 'Server',
  confirm_warning:
    '<strong>Hat dir jemand diesen Link geschickt?</strong> Dann wähle „Abbrechen“. Mach nur weiter, wenn du {user} bist und das selbst angefordert hast.',
  confirm_continue: 'Weiter zu {platform}',
  confirm_cancel: 'Abbrechen',
  just_now: 'gerade eben',
  minutes_ago: 'vor {minutes} {minutes|Minute|Minuten}',

  // The selection of accounts and their settings.
  select_title: 'Konten auswählen',
  select_lead: '{platform} hat mehrere Konten geliefert. Wähle die aus, auf denen du veröffentlichen willst.',
  select_legend: 'Konten bei {platform}',
  select_connected: 'schon verbunden',
  settings_title: '{platform} fertig verbinden',
  settings_lead: 'Eine Frage, bevor {platform} verbunden ist. Du kannst die Antwort später ändern.',
  setting_label: '{setting} auswählen:',
  setting_later: 'Bei jedem Beitrag fragen',
  select_connect: 'Verbinden',

  // Results.
  connected_title: 'Verbunden',
  connected: 'Verbunden: {names}. Du kannst dieses Fenster schließen.',
  not_connected_title: '{platform} wurde nicht verbunden',
  nothing_connected_title: 'Nichts wurde verbunden',
  reference: 'Vorgang: {id}',
  back: 'Zu deinen Konten in Reelay',
  failed_title: 'Diese Seite konnte nicht geöffnet werden',
  missing_title: 'Seite nicht gefunden',
  missing: 'Vielleicht ist der Link unvollständig, oder die Seite wurde gelöscht.',
  missing_way: 'Dashboard öffnen',
  document: 'Ein Dokument mit diesem Namen gibt es nicht.',
  unconfirmed_title: 'Die Bestätigung ist fehlgeschlagen',
  unconfirmed: 'Öffne den Link noch einmal und bestätige auf jener Seite. Cookies müssen erlaubt sein.',
});

export const refusals = translationOf<typeof REFUSAL_TEXTS>()({
  whole: '{title}. {reason}',
  ticket_used_title: 'Dieser Link gilt nicht mehr',
  ticket_used: 'Er wurde schon benutzt oder ist abgelaufen. Beginne von vorn.',
  other_user_title: 'Dieser Link gehört einem anderen Benutzer',
  other_user:
    'Er würde einem anderen Benutzer erlauben, auf deinem Konto zu veröffentlichen. Hat ihn dir jemand geschickt, schließe diese Seite.',
  sign_in_first_title: 'Du bist nicht angemeldet',
  sign_in_first:
    'Öffne diesen Link in dem Browser, in dem du bei Reelay angemeldet bist. Hast du ihn nicht selbst angefordert, schließe diese Seite.',
  canceled_title: 'Nichts wurde verbunden',
  canceled: 'Du hast abgebrochen. Der Link gilt nicht mehr.',
  sign_in_unknown_title: 'Unbekannte oder abgelaufene Anmeldung',
  sign_in_unknown: 'Dieser Link wurde schon benutzt oder ist abgelaufen. Beginne von vorn.',
  other_browser_title: 'Das wurde in einem anderen Browser begonnen',
  other_browser: 'Mach in jenem Browser weiter, oder beginne in diesem von vorn. Cookies müssen erlaubt sein.',
  sign_in_used_title: 'Diese Anmeldung ist schon abgeschlossen',
  sign_in_used: 'Sieh bei deinen verbundenen Konten nach, oder beginne von vorn.',
  timed_out_title: 'Die Anmeldung dauerte zu lange',
  timed_out: 'Schließe sie innerhalb von zehn Minuten ab. Beginne von vorn.',
  none_selected_title: 'Kein Konto ist ausgewählt',
  none_selected: 'Geh zurück und wähle mindestens ein Konto aus.',
});
