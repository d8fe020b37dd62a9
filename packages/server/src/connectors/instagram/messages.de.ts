import { platformTranslation } from '../kit/messages.ts';
import type { own } from './messages.ts';

export const messages = platformTranslation<typeof own>('instagram')({
  accounts_missing:
    'Keine ausgewählte Seite hat ein professionelles Instagram-Konto, auf dem du veröffentlichen darfst. Verknüpfe eines in ihren Einstellungen.',
  account_personal:
    'Instagram erlaubt nur professionellen Konten, über seine API zu veröffentlichen. Stelle das Konto auf Business oder Creator um.',
  revocation_unavailable:
    'Eine Anwendung kann ihren Zugriff bei Instagram nicht selbst beenden. Entferne die Anwendung in den Einstellungen von Instagram.',
  too_many_hashtags: 'Instagram erlaubt in einem Text höchstens {limit} {limit|Hashtag|Hashtags}.',
  too_many_mentions: 'Instagram erlaubt in einem Text höchstens {limit} {limit|Erwähnung|Erwähnungen}.',
  trials_not_allowed: 'Instagram erlaubt auf diesem Konto keine Test-Reels.',
});
