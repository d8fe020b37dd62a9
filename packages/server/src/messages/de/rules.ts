import type { RULE_MESSAGES } from '../rules.ts';
import { translationOf } from '../translation.ts';

export const rules = translationOf<typeof RULE_MESSAGES>()({
  // Reposted.
  would_repost: 'Würde auf {accounts} repostet.',
  reposting: 'Wird auf {accounts} repostet.',
  reposted: 'Auf {accounts} repostet.',
  reposted_partly: 'Auf {accounts} repostet. Fehlgeschlagen auf {failed}.',
  repost_failed: 'Der Repost ist fehlgeschlagen. {reason}',
  repost_removed: 'Repostet. Der Repost wurde später aus dem Verlauf gelöscht.',
  more_accounts: 'Weitere Konten folgen. {reason}',
  source_deleted: 'Der Beitrag der Quelle wurde später gelöscht. Die Reposts bleiben.',
  caption_edited: 'Der Text wurde an der Quelle später geändert. Die Reposts bleiben unverändert.',

  // Waiting.
  undecided: 'Wartet auf die Bearbeitung.',
  delayed: 'Wartet wegen der Verzögerung der Regel bis {untilAt}.',
  quiet_hours: 'Wartet bis zum Ende der Ruhezeit um {untilAt}.',
  rule_daily_limit: 'Das Tageslimit der Regel ist erreicht ({limit}). Wartet bis {untilAt}.',
  back_catalog_queued: 'Aus den älteren Beiträgen. Wartet bis {untilAt}.',
  back_catalog_behind: 'Aus den älteren Beiträgen. Wartet, bis er an der Reihe ist.',
  rule_paused: 'Die Regel ist pausiert. Wartet, bis sie fortgesetzt wird.',
  match_pending:
    'Wartet, weil bei einem früheren Beitrag auf diesem Konto ungewiss ist, ob er veröffentlicht wurde. Er könnte dieser sein.',
  file_fetching: 'Das Video wird von der Plattform heruntergeladen.',
  file_retry: '{reason} Nächster Versuch, das Video herunterzuladen: {untilAt}.',

  // Skipped.
  filtered_missing_word: 'Übersprungen: Der Text enthält keines der Wörter {words}.',
  filtered_word: 'Übersprungen: Der Text enthält „{word}“.',
  filtered_hashtag: 'Übersprungen: Der Text hat keinen der Hashtags {hashtags}.',
  filtered_too_short: 'Übersprungen: Das Video ist {seconds} s lang. Die Regel verlangt mindestens {limit} s.',
  filtered_too_long: 'Übersprungen: Das Video ist {seconds} s lang. Die Regel erlaubt höchstens {limit} s.',
  caption_too_long: 'Übersprungen: Der Text hat {count} Zeichen. Erlaubt sind höchstens {limit}.',
  over_daily_limit: 'Übersprungen: Er hat länger als 3 Tage auf das Tageslimit ({limit}) gewartet.',
  no_file: 'Übersprungen: Das Video lässt sich nicht herunterladen. {reason}',
  file_rejected: 'Übersprungen: {reason}',
  echo: 'Übersprungen: Dasselbe Video ist schon auf {place}.',
  video_removed: 'Übersprungen: Das gespeicherte Video wurde nach der Aufbewahrungszeit gelöscht.',
  already_there: 'Übersprungen: Alle Ziele haben oder hatten das Video.',
  gone: 'Übersprungen: Der Beitrag wurde gelöscht, bevor er repostet werden konnte.',
  source_private: 'Übersprungen: Der Beitrag ist nicht öffentlich.',
  posted_while_paused: 'Übersprungen: veröffentlicht, während die Regel pausiert war.',

  // Why there is no file.
  platform_without_files: '{platform} lässt andere Anwendungen seine Videos nicht herunterladen.',
  downloader_failed: 'Das externe Programm zum Herunterladen ist fehlgeschlagen. {reason}',
  download_failed: 'Das Herunterladen ist fehlgeschlagen. {reason}',

  // The watcher.
  watch_own_only:
    '{platform} zeigt keine Beiträge aus der eigenen App. Diese Regel repostet nur, was du mit Reelay postest.',
  watch_announce_only:
    '{platform} gibt die Videos von Beiträgen aus der eigenen App nicht heraus. Diese Regel repostet nur, was du mit Reelay postest.',
  watch_failing: 'Neue Beiträge von {account} lassen sich seit {sinceAt} nicht lesen. {reason}',
  watch_budget_used:
    'Das Limit für Abfragen pro Tag ist erreicht ({limit}). Neue Beiträge werden ab {untilAt} wieder gelesen.',
  watch_share_used:
    'Dein Anteil an den heutigen Abfragen bei dieser Plattform ist aufgebraucht. Der Rest ist für andere. Die nächste Prüfung ist um {untilAt}.',
  watch_disconnected: 'Neue Beiträge werden nicht gelesen, weil das Konto getrennt ist. Verbinde es neu.',
});
