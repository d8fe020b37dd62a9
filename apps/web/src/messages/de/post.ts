import type { post as English } from '../en/post.ts';
import type { Translation } from '../translation.ts';

export const post: Translation<typeof English> = {
  scheduled: 'Geplant',
  posting:
    'Wird veröffentlicht …{retrying, plural, =0 {} one { # Konto wird wiederholt} other { # Konten werden wiederholt}}',
  deleted: 'Dieser Beitrag wurde gelöscht',
  outcome: {
    all: 'Veröffentlicht',
    some: 'Auf {posted} von {total} veröffentlicht',
    none: 'Nicht veröffentlicht',
    unknown: 'Ungewiss, ob veröffentlicht',
  },
  counts:
    '{posted} von {total} veröffentlicht{failed, plural, =0 {} other {, # fehlgeschlagen}}{unknown, plural, =0 {} other {, # ungewiss}}{retrying, plural, =0 {} one {, # wird wiederholt} other {, # werden wiederholt}}',
  repostOf: 'Repost. Original öffnen',
  all: 'Alle Beiträge',
  open: 'Beitrag öffnen',
  ownCaption: 'Text: {caption}',

  edit: 'Bearbeiten',
  more: 'Alles anzeigen',
  less: 'Weniger anzeigen',
  continueEdit: 'Weiter bearbeiten',
  editTitle: 'Beitrag bearbeiten',
  notEditable: 'Dieser Beitrag kann nicht mehr geändert werden',
  notEditableHint: 'Ein Beitrag kann geändert werden, bis seine Veröffentlichung beginnt.',
  begun: 'Die Veröffentlichung hat inzwischen begonnen. Deine Änderungen können nicht gespeichert werden.',
  ofRule: 'Dies ist ein Repost. Video und Konten bestimmt seine Regel.',
  coverAt: 'Titelbild (Sekunde im Video)',
  coverHint: 'Das Bild, das vor dem Abspielen zu sehen ist. Es entsteht beim Speichern.',
  replaceVideo: 'Anderes Video wählen',
  keepVideo: 'Bisheriges Video behalten',
  discard: 'Änderungen verwerfen',
  save: 'Speichern',
  saveAndPost: 'Speichern und jetzt veröffentlichen',

  playVideo: 'Video abspielen',
  video: 'Video',
  closeVideo: 'Schließen',
  videoMissing:
    'Das Video kann nicht gezeigt werden. Es ist nicht mehr gespeichert, oder dieser Browser kann es nicht abspielen.',

  watch: 'In der Sandbox ansehen',
  copy: 'Als Kopie erneut veröffentlichen',
  copyName: 'Video eines früheren Beitrags',
  replace: 'Upload beenden und kopieren',
  replaceTitle: 'Den Upload beenden?',
  replaceText:
    'Das Video deines Entwurfs wird noch hochgeladen. Die Kopie beendet den Upload. Der Rest des Entwurfs bleibt erhalten.',

  twice: 'Kopie anlegen',
  twiceTitle: 'Dieser Beitrag läuft noch',
  twiceText:
    'Für {count, plural, one {# Konto läuft} other {# Konten laufen}} noch Versuche. Gelingen sie, erscheint eine Kopie auf denselben Konten dort ein zweites Mal.',

  cancel: 'Beitrag absagen',
  cancelTitle: 'Diesen Beitrag absagen?',
  cancelText:
    'Verschiebe ihn in deine Entwürfe, um ihn zu ändern oder später zu veröffentlichen, oder lösche ihn mit seinem Video.',
  deletePost: 'Löschen',
  moveToDrafts: 'In die Entwürfe verschieben',
  remove: 'Löschen',
  removeTitle: 'Diesen Beitrag aus Reelay löschen?',
  removeText:
    'Sein Verlauf, sein Bild und das gespeicherte Video werden gelöscht. Das lässt sich nicht rückgängig machen.{posted, plural, =0 {} one { Der veröffentlichte Beitrag bleibt online; lösche ihn auf der Plattform, wenn er verschwinden soll.} other { Die # veröffentlichten Beiträge bleiben online; lösche sie auf den Plattformen, wenn sie verschwinden sollen.}}',

  troubles: 'Konten mit weiteren Versuchen',
  tryNow: '{count, plural, one {Jetzt versuchen} other {Diese # Konten jetzt versuchen}}',
  stop: '{count, plural, one {Versuche beenden} other {Versuche für diese # Konten beenden}}',
  stopTitle: 'Versuche beenden?',
  stopText:
    'Für {count, plural, one {dieses Konto} other {diese # Konten}} gibt es keinen weiteren Versuch. Wurde schon etwas gesendet, wird es noch einmal geprüft, und dann steht hier, was bekannt ist.',
  tryNowDone: 'Ein neuer Versuch läuft. Der nächste ist je Konto nach 30 Sekunden möglich.',
  trouble: {
    outcome_unknown: {
      title: 'Es wird geprüft, ob der Beitrag veröffentlicht wurde',
      help: 'Die Verbindung brach ab, während der Beitrag gesendet wurde. Er wird erst wieder gesendet, wenn die Plattform zeigt, dass er nicht da ist. Eine Kopie könnte zweimal erscheinen.',
    },
    platform_limit_reached: {
      title: 'Die Plattform verlangt eine Pause',
      help: 'Ihr Limit ist erreicht. Es geht weiter, sobald sie es erlaubt.',
    },
    platform_unavailable: {
      title: 'Die Plattform ist gerade nicht nutzbar',
      help: 'Es geht nichts verloren: Reelay versucht es einen Tag lang selbst wieder. Der Grund steht unten.',
    },
    internal_error: {
      title: 'In Reelay ist etwas schiefgegangen',
      help: 'Es wird von selbst wieder versucht. Wenn das anhält, frage den Betreiber.',
    },
  },

  failures: 'Fehlgeschlagene Konten',
  retry: '{count, plural, one {Wiederholen} other {Diese # Konten wiederholen}}',
  retryAll: 'Alle {count} fehlgeschlagenen Konten wiederholen',
  reconnect: '{platform} neu verbinden',
  reconnectAs: '{platform} ({account}) neu verbinden',
  toAccounts: 'Zu den Konten',
  lookFor: '{platform}: Suche bei {account} nach diesem Video, veröffentlicht etwa {at}',
  lookResult: 'Wenn es dort ist, brauchst du nichts zu tun. Wenn nicht, veröffentliche es erneut.',
  postAgain: 'Erneut veröffentlichen',
  postAgainOn: 'Erneut veröffentlichen: {platform}, {account}',
  postAgainTitle: 'Auf {platform} als {account} erneut veröffentlichen?',
  postAgainText:
    'Reelay fragt zuerst noch einmal bei der Plattform nach. Wenn sie es weiterhin nicht sagen kann, wird das Video erneut veröffentlicht. War der erste Versuch doch erfolgreich, erscheint es dann zweimal.',
  cause: {
    outcome_unknown: {
      title: 'Es ist nicht bekannt, ob der Beitrag veröffentlicht wurde',
      help: 'Die Verbindung brach ab, während der Beitrag gesendet wurde, und die Plattform konnte nicht sagen, ob er ankam. Er wird nicht von selbst erneut gesendet, weil er sonst zweimal erscheinen könnte. Sieh zuerst auf der Plattform nach:',
    },
    reconnect_required: {
      title: 'Das Konto muss neu verbunden werden',
      help: 'Die Plattform lässt den Zugriff nicht mehr zu. Verbinde das Konto neu und wiederhole dann.',
    },
    permission_missing: {
      title: 'Eine Berechtigung fehlt',
      help: 'Verbinde das Konto neu, erteile alle Berechtigungen und wiederhole dann.',
    },
    setup_needed: {
      title: 'Eine Einstellung fehlt',
      help: 'Wähle die fehlende Einstellung des Kontos, oder bitte den Betreiber, die Plattform einzurichten. Wiederhole dann.',
    },
    video_rejected: {
      title: 'Das Video wurde abgelehnt',
      help: 'Die Plattform nimmt dieses Video nicht an. Ein neuer Versuch hilft nur, wenn der Grund unten nicht mehr besteht.',
    },
    caption_rejected: {
      title: 'Der Text wurde abgelehnt',
      help: 'Veröffentliche eine Kopie mit einem anderen Text.',
    },
    policy_rejected: {
      title: 'Die Regeln der Plattform erlauben diesen Beitrag nicht',
      help: 'Sieh dir den Grund unten an, oder suche nach einer Nachricht der Plattform.',
    },
    duplicate_rejected: {
      title: 'Die Plattform hat diesen Beitrag schon',
      help: 'Sie hält ihn für die Wiederholung eines früheren. Ein anderer Text oder ein anderes Video kann helfen.',
    },
    platform_limit_reached: {
      title: 'Das Limit der Plattform ist erreicht',
      help: 'Das Konto darf vorerst nichts mehr veröffentlichen. Wiederhole es später.',
    },
    platform_unavailable: {
      title: 'Die Plattform war zu lange nicht erreichbar',
      help: 'Wiederhole es.',
    },
    platform_error: {
      title: 'Die Plattform meldete einen Fehler',
      help: 'Sieh dir den Grund unten an und wiederhole es dann.',
    },
    plan_limit_reached: {
      title: 'Das Limit deines Tarifs ist erreicht',
      help: 'Wiederhole es, sobald dein Tarif weitere Beiträge erlaubt.',
    },
    late_skipped: {
      title: 'Übersprungen, weil es zu spät war',
      help: 'Reelay lief zur geplanten Zeit nicht, und deine Einstellungen überspringen verspätete Beiträge. Wiederhole es, um jetzt zu veröffentlichen.',
    },
    stopped: {
      title: 'Wie gewünscht beendet',
      help: 'Auf diesen Konten wurde nichts veröffentlicht. Du kannst es wiederholen.',
    },
    internal_error: {
      title: 'Interner Fehler',
      help: 'In Reelay ist etwas schiefgegangen. Wiederhole es; schlägt es wieder fehl, frage den Betreiber.',
    },
  },

  stage: {
    scheduled: 'Geplant',
    queued: 'In der Warteschlange',
    converting: 'Das Video wird umgewandelt',
    uploading: 'Wird hochgeladen',
    processing: 'Die Plattform verarbeitet das Video',
    publishing: 'Wird veröffentlicht',
    finishing: 'Angenommen. Die Plattform stellt den Beitrag fertig',
    verifying: 'Es wird geprüft, ob der Beitrag veröffentlicht wurde',
    waiting: 'Wartet auf den nächsten Versuch',
    working: 'Läuft',
  },
  stageWithPercent: '{stage}: {percent} %',
  nextAttempt: 'Nächster Versuch: {at}',
  postsAt: 'Erscheint am {at}',
  nextTry: 'Nächster Versuch: {at} ({distance})',
  tryingNow: 'Der nächste Versuch läuft',
  tries: '{count, plural, one {Einmal fehlgeschlagen seit {since}} other {# Mal fehlgeschlagen seit {since}}}',
  showTimeline: 'Was geschah',
  hideTimeline: 'Ausblenden',
  details: '{count, plural, one {Einzelheiten} other {# Schritte}}',
  platformCode: 'Code der Plattform:',
};
