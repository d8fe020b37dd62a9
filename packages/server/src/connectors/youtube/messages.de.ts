import { platformTranslation } from '../kit/messages.ts';
import type { own } from './messages.ts';

export const messages = platformTranslation<typeof own>('youtube')({
  api_disabled: 'Die YouTube Data API v3 ist für das Google-Projekt nicht eingeschaltet.',
  channel_closed: 'YouTube hat den Kanal gesperrt oder geschlossen.',
  channel_missing:
    'Dieses Google-Konto hat keinen YouTube-Kanal. Lege bei YouTube einen an und verbinde dann noch einmal.',
  field_rejected: 'YouTube hat ein Feld des Videos abgelehnt: {field}.',
  no_progress: 'YouTube hat nichts weiter vom Video gespeichert.',
  not_found: 'YouTube hat das Video oder die Playlist nicht gefunden.',
  offline_access_missing:
    'Google hat den Zugriff nur für eine Stunde erteilt. Entferne ihn unter myaccount.google.com/permissions und verbinde dann noch einmal.',
  offset_query: '{reason} YouTube wird gefragt, wie viel vom Video angekommen ist.',
  part_unconfirmed: 'YouTube hat nicht mitgeteilt, dass der Teil gespeichert ist.',
  processing_failed: 'YouTube konnte das Video nicht verarbeiten ({code}).',
  upload_empty: 'YouTube hat im Upload kein Video gefunden.',
  upload_reserved: 'Einer der Uploads des Tages ist reserviert.',
  video_deleted: 'Das Video wurde bei YouTube gelöscht.',
  visibility_changed: 'YouTube hat das Video auf „{visible}“ statt auf „{requested}“ gestellt.',
  visibility_locked:
    'YouTube hat das Video auf „{visible}“ statt auf „{requested}“ gestellt. Uploads eines Google-Projekts, das YouTube nicht geprüft hat, bleiben privat.',
});
