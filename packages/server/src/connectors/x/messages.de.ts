import { platformTranslation } from '../kit/messages.ts';
import type { own } from './messages.ts';

export const messages = platformTranslation<typeof own>('x')({
  account_protected: 'Das Konto ist geschützt. Nur seine Follower sehen den Beitrag.',
  attempt_follows: 'Das letzte Senden blieb ohne Wirkung. Das nächste wird vorbereitet.',
  authentication_unsupported: 'X verlangt dafür eine andere Art von Zugriffstoken.',
  credits_used: 'Die Anwendung hat bei X kein Guthaben mehr.',
  never_accepted: 'X hat den Beitrag nach mehreren Versuchen nicht angenommen und zeigt ihn nicht.',
  not_permitted: 'X hat diesen Beitrag nicht erlaubt. Vielleicht ist sein Text zu lang oder sieht wie Spam aus.',
  same_text_shown: 'X hat den Beitrag nicht angenommen. Das Konto zeigt einen anderen Beitrag mit demselben Text.',
  segments_too_large: 'X verlangt kleinere Segmente.',
  sends_rejected: 'X hat mit diesem Upload jedes Senden abgelehnt.',
  too_many_cashtags: 'X erlaubt in einem Beitrag höchstens einen Cashtag. Entferne das „$“ der anderen.',
  url_invalid: 'X hat den Text wegen einer ungültigen Adresse abgelehnt.',
  video_incomplete: 'X hat nicht das ganze Video erhalten.',
  video_of_another_post: 'Das Video gehört zu einem anderen Beitrag.',
});
