import { platformTranslation } from '../kit/messages.ts';
import type { own } from './messages.ts';

export const messages = platformTranslation<typeof own>('linkedin')({
  api_version_outdated:
    '{platform} unterstützt die eingestellte Version seiner API nicht mehr. Setze LINKEDIN_API_VERSION auf einen neueren Monat.',
  cover_awaited: '{platform} wartet vielleicht auf das Titelbild, das es abgelehnt hat.',
  escaped_text_too_long: 'Im Format von {platform} hat der Text {value} Zeichen. Erlaubt sind höchstens {limit}.',
  finalize_repeated:
    '{platform} hat die Teile des Videos noch nicht zusammengefügt. Der Upload wird noch einmal abgeschlossen.',
  member_posts_hidden: '{platform} lässt Anwendungen die Beiträge eines Mitglieds nicht lesen.',
  page_missing:
    '{platform} hat keine Seite geliefert, auf der du veröffentlichen darfst. Du brauchst dort die Rolle Super-Admin oder Content-Admin.',
  page_visibility: 'Eine Seite hat keine Kontakte. Wähle eine andere Sichtbarkeit.',
  parts_mismatch: '{platform} hat einen Upload eröffnet, dessen Teile nicht zum Video passen.',
  role_missing: 'Eine Berechtigung oder die Rolle auf der Seite fehlt. Verbinde das Konto neu.',
  sends_exhausted: '{platform} hat keinen Beitrag angelegt und keinen Grund genannt. Versuche: {sends}.',
  text_too_long: 'Der Text ist für {platform} zu lang.',
  video_hidden: '{platform} zeigt diesem Konto sein eigenes Video nicht. Es wird ohne dessen Status veröffentlicht.',
  video_not_shown_yet: '{platform} zeigt das Video noch nicht.',
});
