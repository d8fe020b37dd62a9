import { platformTranslation } from '../kit/messages.ts';
import type { own } from './messages.ts';

export const messages = platformTranslation<typeof own>('mastodon')({
  server_invalid: 'Nenne den Server des Kontos, zum Beispiel mastodon.social.',
  not_mastodon:
    '{host} hat die Registrierung dieser Anwendung abgelehnt ({status}). Prüfe, ob es ein Mastodon-Server ist.',
  registration_too_long:
    '{host} hat diese Anwendung mit einer Kennung oder einem Geheimnis von mehr als {limit} Zeichen registriert. Das lässt sich nicht speichern.',
  app_forgotten: 'Der Server hatte diese Anwendung gelöscht. Sie ist wieder registriert. Verbinde noch einmal.',
  without_cover: 'Das Video behält sein eigenes Vorschaubild. {reason}',
  becomes_gifv: 'Das Video hat keinen Ton. Mastodon zeigt es als Animation in Endlosschleife (GIFV).',
  post_dropped:
    'Der Server hat den Beitrag angenommen, aber nicht behalten. Vielleicht hielten ihn seine Filter für Spam.',
  post_unreadable: 'Der Server hat den Beitrag angenommen, aber er ist nicht mehr lesbar.',
  video_unused: 'Der Server zeigt den Beitrag nicht, und sein Video ist unbenutzt.',
  video_gone: 'Der Server zeigt den Beitrag nicht, und sein Video ist weg.',
  video_used_or_gone: 'Der Server zeigt den Beitrag nicht, aber sein Video ist benutzt oder weg.',
});
