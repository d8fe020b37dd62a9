import type { CHECK_MESSAGES } from '../checks.ts';
import { translationOf } from '../translation.ts';

export const checks = translationOf<typeof CHECK_MESSAGES>()({
  daily_limit: 'Das Tageslimit der Plattform ist erreicht. Der Beitrag wartet, bis es neu beginnt.',
  rate_limit: 'Die Plattform begrenzt gerade die Anfragen. Der Beitrag wartet.',
  permission_missing: '{platform} hat nicht alle nötigen Berechtigungen erteilt ({scopes}). Verbinde das Konto neu.',
  access_ends:
    'Der Zugriff auf dieses Konto endet am {endAt}, bevor der Beitrag fällig ist. Verbinde das Konto vorher neu.',
  film_track: 'Der Film ist Videospur {number} der Datei. Nur diese Spur wird veröffentlicht.',
  sound_track: 'Der Ton ist Tonspur {number} der Datei. Eine frühere Spur ist leer, stumm oder nicht lesbar.',
  sound_unusable: 'Keine Tonspur der Datei ist lesbar. Ein umgewandeltes Video hat keinen Ton.',
  key_frames:
    'Zwischen zwei Schlüsselbildern des Videos liegen bis zu {seconds} s. Manche Player zeigen es nach einem Sprung verspätet, und manche Plattformen verarbeiten es schlecht.',
  codec_tag:
    'Die Datei kennzeichnet ihr HEVC-Video als {tag}, das spielen die Player von Apple nicht ab. Kennzeichnung als hvc1: ffmpeg -i in.mp4 -c copy -tag:v hvc1 out.mp4',
  video_unfit: 'Die Plattform nimmt dieses Video nicht an. {reason}',
});
