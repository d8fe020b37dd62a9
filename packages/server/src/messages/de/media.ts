import type { FLAW_TEXTS, LIMIT_TEXTS, OTHER_TEXTS } from '../media.ts';
import { translationOf } from '../translation.ts';

export const limits = translationOf<typeof LIMIT_TEXTS>()({
  maxBytes: 'Das Video hat {value} Byte. Erlaubt sind höchstens {limit}.',
  minBytes: 'Das Video hat {value} Byte. Nötig sind mindestens {limit}.',
  minSeconds: 'Das Video ist {value} s lang. Nötig sind mindestens {limit} s.',
  maxSeconds: 'Das Video ist {value} s lang. Erlaubt sind höchstens {limit} s.',
  containers: 'Das Dateiformat ist {value}. Erlaubt: {allowed}.',
  videoCodecs: 'Der Video-Codec ist {value}. Erlaubt: {allowed}.',
  pixelFormats: 'Das Pixelformat ist {value}. Erlaubt: {allowed}.',
  h264Formats:
    'Viele Telefone können dieses H.264-Video nicht abspielen: Sein Pixelformat ist {value}. Erlaubt: {allowed}.',
  audioCodecs: 'Der Audio-Codec ist {value}. Erlaubt: {allowed}.',
  audioProfiles: 'Das Audio-Profil ist {value}. Erlaubt: {allowed}.',
  maxAudioChannels: 'Der Ton hat {value} {value|Kanal|Kanäle}. Erlaubt: höchstens {limit}.',
  maxAudioRate: 'Der Ton hat {value} {value|Abtastwert|Abtastwerte} pro Sekunde. Erlaubt sind höchstens {limit}.',
  needsAudio: 'Das Video hat keine Tonspur, aber eine ist nötig.',
  maxFps: 'Das Video hat {value} {value|Bild|Bilder} pro Sekunde. Erlaubt sind höchstens {limit}.',
  minFps: 'Das Video hat {value} {value|Bild|Bilder} pro Sekunde. Nötig sind mindestens {limit}.',
  maxFrames: 'Das Video hat {value} {value|Bild|Bilder}. Erlaubt sind höchstens {limit}.',
  steadyRate: 'Die Bildrate des Videos ist nicht konstant.',
  progressive: 'Das Video ist im Zeilensprungverfahren aufgenommen. Es muss Vollbilder haben.',
  minWidth: 'Das Video hat {size} Pixel. Es muss mindestens {limit} Pixel breit sein.',
  maxWidth: 'Das Video hat {size} Pixel. Es darf höchstens {limit} Pixel breit sein.',
  minHeight: 'Das Video hat {size} Pixel. Es muss mindestens {limit} Pixel hoch sein.',
  maxHeight: 'Das Video hat {size} Pixel. Es darf höchstens {limit} Pixel hoch sein.',
  minSide: 'Das Video hat {size} Pixel. Jede Seite muss mindestens {limit} Pixel lang sein.',
  maxSide: 'Das Video hat {size} Pixel. Jede Seite darf höchstens {limit} Pixel lang sein.',
  maxPixels: 'Das Video hat {size} Pixel. Erlaubt sind insgesamt höchstens {limit} Pixel.',
  minAspect: 'Das Video hat {size} Pixel. Es muss mindestens {limit}-mal so breit wie hoch sein.',
  maxAspect: 'Das Video hat {size} Pixel. Es darf höchstens {limit}-mal so breit wie hoch sein.',
  squarePixels: 'Die Pixel des Videos sind nicht quadratisch.',
  maxBitrate: 'Das Video hat {value} Bit pro Sekunde. Erlaubt sind höchstens {limit}.',
  indexFirst: 'Der Index der Datei steht hinter ihren Daten. Er muss am Anfang stehen.',
  noHiddenFrames:
    'Eine Schnittliste der Datei verbirgt {value} {value|Bild|Bilder}. Verborgene Bilder sind nicht erlaubt.',
  closedGops:
    'Bilder des Videos hängen über Schlüsselbilder hinweg voneinander ab (offene GOPs). Nötig sind geschlossene GOPs.',
  maxKeySeconds: 'Zwischen zwei Schlüsselbildern des Videos liegen bis zu {value} s. Erlaubt sind höchstens {limit} s.',
  firstTracks: 'Vor dem Film oder seinem Ton stehen andere Spuren. Sie müssen die ersten Spuren der Datei sein.',
  ownLength: 'Nach ihren Zeiten ist die Datei {value} s lang, der Film und sein Ton dauern aber {limit} s.',
});

export const media = translationOf<typeof OTHER_TEXTS>()({
  limits: '{reasons}',
  text_too_long: 'Der Text hat {value} Zeichen. Erlaubt sind höchstens {limit}.',
  text_counted_too_long:
    'Der Text hat {value} Zeichen, wie die Plattform sie zählt, und {plain}, wie er geschrieben ist. Erlaubt sind höchstens {limit}.',
  text_too_large: 'Der Text hat {value} Byte. Erlaubt sind höchstens {limit}.',
});

export const flaws = translationOf<typeof FLAW_TEXTS>()({
  file_format: 'das Dateiformat',
  file_size: 'die Dateigröße',
  duration: 'die Länge',
  frame_rate: 'die Bildrate',
  frame_size: 'die Bildgröße',
  aspect_ratio: 'das Seitenverhältnis',
  video_codec: 'der Video-Codec',
  audio_codec: 'der Audio-Codec',
  audio_channels: 'die Tonkanäle',
  bitrate: 'die Bitrate',
});
