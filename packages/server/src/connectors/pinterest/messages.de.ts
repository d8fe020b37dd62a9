import { platformTranslation } from '../kit/messages.ts';
import type { own } from './messages.ts';

export const messages = platformTranslation<typeof own>('pinterest')({
  board_forbidden: 'Das Konto darf auf dieser Pinnwand nicht veröffentlichen. Wähle eine andere.',
  board_gone: 'Die Pinnwand gibt es nicht mehr. Wähle eine andere.',
  board_missing:
    'Das Konto hat keine Pinnwand der gewählten Art oder hat keinen Zugriff darauf erteilt. Wähle eine andere, oder verbinde das Konto neu.',
  board_unknown: 'Es ist nicht bekannt, auf welcher Pinnwand der Pin wäre.',
  consumer_forbidden: '{platform} erlaubt dieser Anwendung oder diesem Konto nicht zu veröffentlichen.',
  cover_unusable: '{platform} hat das Titelbild abgelehnt.',
  file_too_large: 'Die Datei ist für {platform} zu groß.',
  match_of_unclear_age: '{platform} zeigt einen Pin mit diesem Text, dessen Alter unklar ist.',
  match_with_other_link: '{platform} zeigt einen Pin mit diesem Text, aber mit einem anderen Link.',
  trial_access:
    'Die Anwendung des Betreibers hat nur Trial access, und damit sind keine Pins möglich. Sie braucht Standard access.',
  url_unreachable: '{platform} konnte eine Adresse nicht abrufen.',
  video_unusable: '{platform} kann das Video noch nicht benutzen.',
});
