/** What a rendition is, and what is known beforehand of the file that comes of it. Pure. */
import type { VideoFacts } from '../types.ts';

/** How the picture is encoded: H.264, at a constant rate. */
export interface EncodedVideo {
  /** Pixels, even. */
  width: number;
  height: number;
  /** Pictures a second. */
  fps: number;
  /** Most bits a second, held over any second. */
  maxRate: number;
}

/**
 * What a file must become: an MP4 with its index first. Plain JSON. Where the picture is encoded, the sound is too, so that
 * both begin at 0 without an edit list.
 */
export interface RenditionSpec {
  container: 'mp4';
  video: 'copy' | EncodedVideo;
  /** `aac`: LC, stereo, 48 kHz. `silence`: a track of the same that says nothing. `none`: there is no sound. */
  audio: 'copy' | 'aac' | 'silence' | 'none';
  /** Length in seconds, where it may not be the source's own by a hair. */
  seconds?: number;
}

/** Bits a second of sound that is encoded, and its samples a second. */
export const AUDIO_RATE = 128_000;
export const AUDIO_SAMPLES = 48_000;

/** No file that is made has fewer bytes: it is filled up with an empty box. LinkedIn takes none under 75 kB ("Videos API"). */
export const LEAST_BYTES = 80_000;

/** The most that a copied stream's length may change, in ms: half of the longest picture. */
const COPY_SLACK_MS = 40;
/** How much more than its cap the encoder may take. */
const RATE_MARGIN = 1.03;

/** Length of what is made, in seconds. */
export function lengthOf(spec: RenditionSpec, facts: VideoFacts): number {
  return spec.seconds ?? facts.durationMs / 1000;
}

/**
 * The most bytes that the file may have. A capped rate is held over any second, so that the first second may take twice as
 * much; the index has some 24 bytes for a picture or a block of sound.
 */
export function mostBytes(spec: RenditionSpec, facts: VideoFacts): number {
  const seconds = lengthOf(spec, facts);
  const audio = spec.audio === 'none' ? 0 : (AUDIO_RATE * 1.05 * seconds) / 8;
  if (spec.video === 'copy') {
    const added = spec.audio === 'copy' ? 0 : audio;
    return Math.ceil(Math.max(LEAST_BYTES, facts.bytes * 1.02 + added + 65_536));
  }
  const picture = mostPictureBits(spec.video, seconds) / 8;
  const index = 24 * seconds * (spec.video.fps + AUDIO_SAMPLES / 1024) + 16_384;
  return Math.ceil(Math.max(LEAST_BYTES, picture + audio + index));
}

function mostPictureBits({ maxRate }: EncodedVideo, seconds: number): number {
  return maxRate * (seconds + 1) * RATE_MARGIN;
}

/** What the file will be like, once with all bounds at their lowest and once at their highest. */
export function foretell(spec: RenditionSpec, facts: VideoFacts): [least: VideoFacts, most: VideoFacts] {
  const ms = Math.round(lengthOf(spec, facts) * 1000);
  const bytes = mostBytes(spec, facts);
  const common = { ...facts, ...soundOf(spec, facts), container: 'mp4', mime: 'video/mp4', indexFirst: true } as const;
  if (spec.video === 'copy') {
    const at = (slack: number) => ({ durationMs: ms + slack, lastFrameMs: facts.lastFrameMs });
    const least = { ...common, ...at(-COPY_SLACK_MS), bytes: LEAST_BYTES };
    return [least, { ...common, ...at(COPY_SLACK_MS), bytes }];
  }
  const { width, height, fps } = spec.video;
  const pictureMs = Math.ceil(1000 / fps);
  // The last picture may reach beyond the end, and so does the block of sound that the encoder puts first.
  const beyondMs = Math.max(pictureMs, Math.ceil((1024 / AUDIO_SAMPLES) * 1000));
  const encoded = {
    ...common,
    width,
    height,
    codedWidth: width,
    codedHeight: height,
    rotation: 0,
    fps,
    videoCodec: 'h264',
    pixelFormat: 'yuv420p',
    hdr: false,
    interlaced: false,
    unsteady: false,
    lastFrameMs: Math.max(0, ms - pictureMs),
  } as const;
  const videoBitrate = Math.ceil(mostPictureBits(spec.video, ms / 1000) / (ms / 1000));
  return [
    { ...encoded, bytes: LEAST_BYTES, durationMs: ms - 1, videoBitrate: 1 },
    { ...encoded, bytes, durationMs: ms + beyondMs, videoBitrate },
  ];
}

type Sound = Pick<VideoFacts, 'hasAudio' | 'audioCodec' | 'audioChannels' | 'audioRate' | 'audioProfile'>;

function soundOf({ audio }: RenditionSpec, facts: VideoFacts): Sound {
  const { audioChannels, audioRate, audioProfile } = facts;
  switch (audio) {
    case 'copy':
      return { hasAudio: facts.hasAudio, audioCodec: facts.audioCodec, audioChannels, audioRate, audioProfile };
    case 'none':
      return {
        hasAudio: false,
        audioCodec: null,
        ...{ audioChannels: undefined, audioRate: undefined },
        audioProfile: undefined,
      };
    default:
      return { hasAudio: true, audioCodec: 'aac', audioChannels: 2, audioRate: AUDIO_SAMPLES, audioProfile: 'LC' };
  }
}
