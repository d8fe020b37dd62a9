/** What is worth knowing about an accepted video: warnings of `POST /post/check`. Pure. */
import type { Connector } from '../connectors/contract.ts';
import type { VideoFacts } from '../media/types.ts';
import { explain } from '../messages/checks.ts';
import type { Reason } from './types.ts';

/** Ms between key frames above which players and platforms are known to have trouble. No platform documents it. */
const FAR_APART_MS = 10_000;

/** Codes of HEVC in MP4 that Apple's players do not play. */
const UNPLAYABLE_TAGS: ReadonlySet<string> = new Set(['hev1', 'dvhe']);

/** Notes on the tracks that are used. They apply to every account. */
export function trackNotes({ filmTrack = 0, soundTrack = 0, audioUnusable }: VideoFacts): Reason[] {
  return [
    ...(filmTrack > 0 ? [warning('film_track', explain('film_track', { number: filmTrack + 1 }))] : []),
    ...(soundTrack > 0 ? [warning('sound_track', explain('sound_track', { number: soundTrack + 1 }))] : []),
    ...(audioUnusable ? [warning('sound_unusable', explain('sound_unusable'))] : []),
  ];
}

/** Notes on the file that one account gets. @param sent its facts, predicted if it is still to be converted */
export function fileNotes(connector: Connector | undefined, sent: VideoFacts): Reason[] {
  const { keyFrameMs = 0, videoTag = '' } = sent;
  const seconds = Math.round(keyFrameMs / 100) / 10;
  return [
    ...(keyFrameMs > FAR_APART_MS ? [warning('key_frames', explain('key_frames', { seconds }))] : []),
    ...(UNPLAYABLE_TAGS.has(videoTag) ? [warning('codec_tag', explain('codec_tag', { tag: videoTag }))] : []),
    ...(connector?.videoNotes?.(sent) ?? []).map((message) => warning('shown_differently', message)),
  ];
}

function warning(code: string, message: Reason['message']): Reason {
  return { effect: 'warning', code, message };
}
