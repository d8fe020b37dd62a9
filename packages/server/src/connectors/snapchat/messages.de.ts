import { platformTranslation } from '../kit/messages.ts';
import type { own } from './messages.ts';

export const messages = platformTranslation<typeof own>('snapchat')({
  already_posting: '{platform} meldet, dass dieses Video schon veröffentlicht wird.',
  app_not_allowed:
    '{platform} lässt die Anwendung des Betreibers nicht zu, oder das Profil gehört nicht mehr dem Konto. Kläre das und verbinde dann das Konto neu.',
  list_forbidden: '{platform} zeigt seine Liste der Spotlights nicht. Ein Senden ohne Antwort lässt sich nicht prüfen.',
  list_read: 'Die Liste der Spotlights wurde gelesen.',
  match_of_unknown_text: '{platform} zeigt ein neues Spotlight ohne seinen Text.',
  part_response_early: '{platform} hat geantwortet, bevor der ganze Teil angekommen war.',
  profile_missing: 'Das Konto hat kein öffentliches Profil. Veröffentlichen ist nur auf öffentlichen Profilen möglich.',
  review_unreadable: '{platform} hat das Video angenommen, aber das Ergebnis der Prüfung war nicht lesbar.',
});
