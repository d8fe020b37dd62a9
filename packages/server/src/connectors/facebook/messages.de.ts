import { platformTranslation } from '../kit/messages.ts';
import type { own } from './messages.ts';

export const messages = platformTranslation<typeof own>('facebook')({
  page_not_allowed:
    'Die Verbindung darf auf dieser Seite nicht veröffentlichen. Verbinde sie als ein Benutzer neu, der das darf.',
  pages_missing:
    'Zur Anmeldung gehört keine Seite, auf der du veröffentlichen darfst. Verbinde noch einmal, wähle die Seite aus und prüfe deine Rolle dort.',
  page_authorization_missing:
    'Die Seite braucht die „Autorisierung zum Veröffentlichen auf Seiten“. Schließe sie bei Facebook ab.',
  owner_action_required: 'Facebook verlangt etwas vom Inhaber der Seite. Kläre das bei Facebook.',
  posting_too_fast: 'Facebook bremst diese Seite, weil sie zu oft veröffentlicht.',
  offset_rejected: 'Facebook erwartet einen anderen Teil des Videos. Von dort geht es weiter.',
  upload_incomplete: 'Facebook hat nicht das ganze Video.',
});
