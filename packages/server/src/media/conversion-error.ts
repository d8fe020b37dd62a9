/** Maps ffmpeg's messages about a failed conversion to an error that names the cause. Pure. */
import { apiError, type ReelayError } from '../errors/reelay-error.ts';
import type { VideoFacts } from './types.ts';

/**
 * Counts the messages of both decoders: `[h264 @ 0x…] …`, since ffmpeg 7 also `[vist#0:0/h264 @ 0x…] …`. Decoders also
 * print harmless ones, so the one with more messages is the cause, unless packets of both streams failed. A conversion
 * starts only after its film could be probed, so a missing decoder is that of the sound.
 */
export function conversionError(stderr: string, { videoCodec, audioCodec }: VideoFacts): ReelayError {
  const film = countMessages(stderr, videoCodec);
  const sound = countMessages(stderr, audioCodec);
  const failed = new Set(stderr.match(/(?:decoding stream |[av]ist)#\d+:\d+/g));
  if ((sound > film && failed.size < 2) || /(?:decoder .* not|no decoder) found/i.test(stderr))
    return apiError('sound_undecodable');
  return apiError(film > 0 ? 'video_undecodable' : 'conversion_failed');
}

/** Decoders are named after their codec, some with more letters: `mp3float`. */
function countMessages(stderr: string, codec: string | null): number {
  if (!codec) return 0;
  const context = new RegExp(`^\\[(?:[^\\]]*[/:])?${codec.replace(/[^a-z0-9_]/gi, '')}\\w* @ `, 'gm');
  return stderr.match(context)?.length ?? 0;
}
