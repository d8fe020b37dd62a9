import { platformTranslation } from '../kit/messages.ts';
import type { own } from './messages.ts';

export const messages = platformTranslation<typeof own>('tiktok')({
  app_outdated: 'Die TikTok-App des Kontos ist zu alt. Aktualisiere sie und wiederhole dann.',
  app_unaudited:
    'TikTok hat die Anwendung noch nicht geprüft. Bis dahin muss das Konto privat sein und darf nur für sich selbst veröffentlichen.',
  branded_private: 'Bezahlte Partnerschaften können nicht nur für dich selbst sichtbar sein.',
  drafts_pending: 'In der TikTok-App warten zu viele Entwürfe. Veröffentliche oder lösche sie dort.',
  part_rejected: 'TikTok hat einen Teil des Videos abgelehnt, den es angefordert hatte.',
  post_canceled: 'Der Beitrag wurde bei TikTok abgebrochen.',
  privacy_mismatch: 'Das Konto erlaubt das gewählte Publikum nicht. Wähle es in seinen Einstellungen neu.',
  privacy_not_allowed: 'Das Konto erlaubt das Publikum „{privacy}“ nicht. Wähle es in seinen Einstellungen neu.',
  url_unverified: 'Die Adresse ist für die Anwendung nicht bestätigt.',
});
