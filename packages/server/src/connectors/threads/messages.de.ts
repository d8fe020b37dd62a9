import { platformTranslation } from '../kit/messages.ts';
import type { own } from './messages.ts';

export const messages = platformTranslation<typeof own>('threads')({
  too_many_links: 'Threads erlaubt in einem Text höchstens {limit} {limit|verschiedenen Link|verschiedene Links}.',
  failed_without_reason:
    'Threads hat keinen Grund genannt. Oft konnte es das Video nicht abrufen: Prüfe, ob PUBLIC_URL aus dem Internet über HTTPS erreichbar ist und ob nichts davor die Server von Meta sperrt. Sonst prüfe das Video.',
});
