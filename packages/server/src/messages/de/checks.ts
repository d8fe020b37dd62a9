import type { CHECK_MESSAGES } from '../checks.ts';
import { translationOf } from '../translation.ts';

export const checks = translationOf<typeof CHECK_MESSAGES>()({
  daily_limit: 'Das Tageslimit der Plattform ist erreicht. Der Beitrag wartet, bis es neu beginnt.',
  rate_limit: 'Die Plattform begrenzt gerade die Anfragen. Der Beitrag wartet.',
  permission_missing: '{platform} hat nicht alle nötigen Berechtigungen erteilt ({scopes}). Verbinde das Konto neu.',
  access_ends:
    'Der Zugriff auf dieses Konto endet am {endAt}, bevor der Beitrag fällig ist. Verbinde das Konto vorher neu.',
  video_unfit: 'Die Plattform nimmt dieses Video nicht an. {reason}',
});
