export const notifications = {
  title: 'Benachrichtigungen',
  close: 'Schließen',
  loading: 'Benachrichtigungen werden geladen',
  empty: 'Nichts braucht deine Aufmerksamkeit.',
  retry: 'Erneut versuchen',
  more: 'Ältere anzeigen',
  readAll: 'Alle gelesen',
  settings: 'Einstellungen',
  unread: 'Ungelesen:',
  resolved: 'Erledigt',
  failed:
    '{accounts, plural, one {Ein Beitrag ist fehlgeschlagen} other {Ein Beitrag ist auf {failed} von # Konten fehlgeschlagen}}',
  failedBefore: 'Ein Beitrag schlug fehl und wurde wiederholt',
  unknown:
    '{accounts, plural, one {Es ist nicht bekannt, ob ein Beitrag veröffentlicht wurde} other {Es ist auf {failed} von # Konten nicht bekannt, ob ein Beitrag veröffentlicht wurde}}',
  troubled:
    '{accounts, plural, one {Ein Beitrag wird wiederholt} other {Ein Beitrag wird auf {troubled} von # Konten wiederholt}}',
  troubledBefore: 'Ein Beitrag wurde wiederholt',
  reconnect: '{account} muss neu verbunden werden',
  accessEnds: 'Der Zugriff auf {account} endet am {at}, vor deinem letzten geplanten Beitrag',
  sourceUnread:
    'Neue Beiträge auf {account} konnten seit {at} nicht gelesen werden. Regeln verpassen vielleicht welche.',
  failure: '{account}: {cause}',
  moreFailed: 'und {count, number} weitere',
  kind: {
    post_failed: {
      title: 'Fehlgeschlagene Beiträge',
      hint: 'Ein Beitrag ist auf einem Konto fehlgeschlagen, oder sein Ausgang ist nicht bekannt.',
    },
    post_trouble: {
      title: 'Beiträge mit weiteren Versuchen',
      hint: 'Ein Beitrag ist auf einem Konto zweimal fehlgeschlagen oder muss warten, und Reelay versucht es weiter.',
    },
    account_reconnect: {
      title: 'Neu zu verbindende Konten',
      hint: 'Eine Plattform hat den Zugriff auf ein Konto beendet.',
    },
    access_ends: {
      title: 'Endende Zugriffe',
      hint: 'Ein Zugriff endet vor deinem letzten geplanten Beitrag auf dem Konto.',
    },
    source_unread: {
      title: 'Quellen, die nicht gelesen werden können',
      hint: 'Neue Beiträge auf der Quelle einer Regel können nicht gelesen werden.',
    },
  },
  sectionHint: 'Wähle, was Reelay dir mitteilt und wo.',
  inPage: 'In Reelay',
  byMail: 'E-Mail',
  mailTo: 'E-Mails gehen an {address}.',
  noMail: 'E-Mails sind nicht verfügbar: Der Betreiber dieses Dienstes hat keinen Mailserver eingerichtet.',
};
