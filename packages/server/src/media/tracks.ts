/** Chooses the film and its sound among the tracks of a file. Check, thumbnail and conversion use this choice. Pure. */
import type { ProbedStream, StreamSpan } from './packets.ts';

export type ShownStream = ProbedStream & { span: StreamSpan };

/** A chosen track. */
export interface Track {
  stream: ShownStream;
  /** Position among the tracks of its type, as ffmpeg counts `V:0` and `a:0`. `V` leaves out cover pictures. */
  position: number;
}

/**
 * The video track with the most frames among those that can be decoded and have more than one. A cover or a preview may
 * precede the film as an ordinary track. Without such a track, the one with the most frames, which is then rejected.
 */
export function chooseFilm(streams: readonly ProbedStream[]): Track | null {
  const tracks = tracksOf(streams, ({ type, attachedPicture }) => type === 'video' && !attachedPicture);
  const usable = tracks.filter(({ stream }) => isDecodable(stream) && stream.span.packets > 1);
  return mostFrames(usable) ?? mostFrames(tracks);
}

/**
 * The first audio track that can be decoded and is not silent. A scene that needs a spatial renderer (ambisonics) is
 * used only if nothing else is; a silent track only if all are silent.
 */
export function chooseSound(streams: readonly ProbedStream[]): Track | null {
  const usable = soundCandidates(streams);
  const audible = usable.filter(({ stream }) => !stream.silent);
  const best = audible.length > 0 ? audible : usable;
  return best.find(({ stream }) => !stream.ambisonic) ?? best[0] ?? null;
}

/** The audio tracks with samples and a decoder. Only decoding tells whether they are silent. */
export function soundCandidates(streams: readonly ProbedStream[]): Track[] {
  return tracksOf(streams, ({ type }) => type === 'audio').filter(({ stream }) => isDecodable(stream));
}

function tracksOf(streams: readonly ProbedStream[], isOfType: (stream: ProbedStream) => boolean): Track[] {
  const inOrder = streams.filter(isOfType).sort((one, other) => one.index - other.index);
  return inOrder.flatMap((stream, position) => (isShown(stream) ? [{ stream, position }] : []));
}

/** Returns whether a track has packets and is no cover picture. */
export function isShown(stream: ProbedStream): stream is ShownStream {
  return stream.span !== null && !stream.attachedPicture;
}

/** ffprobe knows the format of frames and samples only if it has a decoder. */
function isDecodable({ type, codec, pixelFormat, sampleFormat }: ProbedStream): boolean {
  return codec !== null && (type === 'video' ? pixelFormat : sampleFormat) !== null;
}

function mostFrames(tracks: readonly Track[]): Track | null {
  return tracks.reduce<Track | null>(
    (best, track) => (best === null || track.stream.span.packets > best.stream.span.packets ? track : best),
    null,
  );
}
