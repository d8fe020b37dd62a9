import type { setup as English } from '../en/setup.ts';
import type { Translation } from '../translation.ts';

export const setup: Translation<typeof English> = {
  title: '{platform} einrichten',
  warningTitle: '{platform} funktioniert nicht mit dieser Adresse',
  warning: {
    redirect_https:
      '{platform} leitet nur zu einer https-Adresse zurück, die nicht localhost ist. Setze PUBLIC_URL auf die öffentliche https-Adresse dieses Dienstes.',
    redirect_localhost:
      '{platform} akzeptiert localhost nicht. Setze PUBLIC_URL auf http://127.0.0.1 mit dem Port dieses Dienstes oder auf eine öffentliche https-Adresse.',
    media_private:
      '{platform} lädt Videos von diesem Dienst herunter. Setze PUBLIC_URL auf eine https-Adresse, die aus dem Internet erreichbar ist.',
  },
  nothing: '{platform} braucht keine Anwendung. Konten können verbunden werden.',
  several: 'Es gibt {count} Arten von Anwendungen. Eine reicht.',
  source: { stored: 'Eingerichtet', environment: 'Durch Umgebungsvariablen eingerichtet', none: 'Nicht eingerichtet' },
  alsoFor: 'Wird auch für {platforms} verwendet',
  steps: '1. Bei {platform}',
  portal: 'Entwicklerkonsole von {platform} öffnen',
  redirect: 'Weiterleitungsadresse',
  redirectHint: 'Trage sie genau so ein.',
  scopes: 'Scopes',
  scopesHint: '{count, plural, one {Eine Berechtigung, die} other {# Berechtigungen, die}} die Anwendung haben muss.',
  review: '2. Prüfung durch die Plattform',
  enter: '3. ID und Geheimnis eingeben',
  change: '3. ID und Geheimnis',
  environment: 'Diese Umgebungsvariablen haben Vorrang. Ändere sie dort, wo der Dienst gestartet wird:',
  id: 'ID',
  secret: 'Geheimnis',
  secretHint: 'Es wird verschlüsselt gespeichert und nie wieder angezeigt.',
  secretStored:
    'Ein Geheimnis ist verschlüsselt gespeichert. Es wird nicht angezeigt; gib ein neues ein, um es zu ersetzen.',
  showSecret: 'Geheimnis anzeigen oder verbergen',
  save: 'Speichern und testen',
  saveAnyway: 'Trotzdem speichern',
  test: 'Eingerichtetes testen',
  result: {
    stored: {
      verified: 'Gespeichert, und es funktioniert',
      unverified: 'Gespeichert, aber nicht bestätigt',
      rejected: 'Gespeichert, obwohl die Plattform ablehnt',
    },
    notStored: {
      verified: 'Nicht gespeichert',
      unverified: 'Nicht gespeichert',
      rejected: 'Nicht gespeichert: ID oder Geheimnis ist falsch',
    },
    set: { verified: 'Es funktioniert', unverified: 'Nicht bestätigt', rejected: 'ID oder Geheimnis ist falsch' },
    hint: {
      unverified:
        'Die Plattform hat es weder bestätigt noch abgelehnt. Ob es funktioniert, zeigt sich, wenn du ein Konto verbindest.',
      rejected: 'Kopiere beides noch einmal aus der Entwicklerkonsole. Prüfe, ob es zur selben Anwendung gehört.',
    },
  },
  remove: 'Anwendung entfernen',
  removeTitle: 'Anwendung bei {platform} entfernen?',
  removeHint:
    'Niemand kann Konten von {platforms} verbinden, bis du es wieder einrichtest. {accounts, plural, =0 {Kein Konto ist} one {# verbundenes Konto ist} other {# verbundene Konten sind}} betroffen: Wenn der jetzige Zugriff abläuft, kann er nicht erneuert werden. {posts, plural, =0 {Kein geplanter Beitrag ist} one {# geplanter Beitrag ist} other {# geplante Beiträge sind}} gefährdet.',
  removeHintAtMost:
    'Manche Benutzer von {platforms} können dann kein Konto mehr verbinden. Bis zu {accounts, plural, one {# verbundenes Konto nutzt} other {# verbundene Konten nutzen}} diese Anwendung: Wenn der jetzige Zugriff abläuft, kann er nicht erneuert werden. Bis zu {posts, plural, one {# geplanter Beitrag ist} other {# geplante Beiträge sind}} gefährdet.',
};
