/** The specification of a rendition and the predicted properties of its file. Pure. */
import { KEY_SECONDS } from '../commands.ts';
import type { VideoFacts } from '../types.ts';

/** Video encoding: H.264 at a constant frame rate. */
export interface EncodedVideo {
  /** Pixels, even. */
  width: number;
  height: number;
  /** Frames per second. */
  fps: number;
  /** Maximum bits per second, enforced over any second. */
  maxRate: number;
}

/**
 * The required file: an MP4 with its index first. Plain JSON. If the video is encoded, so is the audio, so that both
 * start at 0 without an edit list.
 */
export interface RenditionSpec {
  container: 'mp4';
  video: 'copy' | EncodedVideo;
  /** `aac`: LC, stereo, 48 kHz. `silence`: a silent track in that format. `none`: no audio track. */
  audio: 'copy' | 'aac' | 'silence' | 'none';
  /** Length in seconds, if it must differ slightly from the original. */
  seconds?: number;
}

/** Bit rate (bits per second) and sample rate of encoded audio. */
export const AUDIO_RATE = 128_000;
export const AUDIO_SAMPLES = 48_000;

/**
 * Minimum size in bytes of a rendition; smaller ones are padded with an empty box. LinkedIn requires at least 75 kB
 * ("Videos API").
 */
export const MIN_BYTES = 80_000;

/** Maximum change in ms of a copied stream's length: half of the longest frame. */
const COPY_SLACK_MS = 40;
/** Factor by which the encoder may exceed the maximum rate. */
const RATE_MARGIN = 1.03;

/** Length of the rendition, in seconds. */
export function lengthOf(spec: RenditionSpec, facts: VideoFacts): number {
  return spec.seconds ?? facts.durationMs / 1000;
}

/**
 * Maximum size of the file in bytes. The maximum rate is enforced over any second, so the first second may use twice as
 * much. The index has about 24 bytes per frame or audio block.
 */
export function mostBytes(spec: RenditionSpec, facts: VideoFacts): number {
  const seconds = lengthOf(spec, facts);
  const audio = spec.audio === 'none' ? 0 : (AUDIO_RATE * 1.05 * seconds) / 8;
  if (spec.video === 'copy') {
    const added = spec.audio === 'copy' ? 0 : audio;
    return Math.ceil(Math.max(MIN_BYTES, facts.bytes * 1.02 + added + 65_536));
  }
  const picture = mostPictureBits(spec.video, seconds) / 8;
  const index = 24 * seconds * (spec.video.fps + AUDIO_SAMPLES / 1024) + 16_384;
  return Math.ceil(Math.max(MIN_BYTES, picture + audio + index));
}

function mostPictureBits({ maxRate }: EncodedVideo, seconds: number): number {
  return maxRate * (seconds + 1) * RATE_MARGIN;
}

/** Predicts the properties of the file: once with the lowest and once with the highest bounds. */
export function predictFacts(spec: RenditionSpec, facts: VideoFacts): [least: VideoFacts, most: VideoFacts] {
  const ms = Math.round(lengthOf(spec, facts) * 1000);
  const bytes = mostBytes(spec, facts);
  const container = { container: 'mp4', mime: 'video/mp4', indexFirst: true } as const;
  const common = { ...facts, ...ONLY_TRACKS, ...soundOf(spec, facts), ...container };
  if (spec.video === 'copy') {
    const videoTag = facts.videoCodec === 'hevc' ? 'hvc1' : facts.videoTag;
    const at = (slack: number) => ({ durationMs: ms + slack, lastFrameMs: facts.lastFrameMs, videoTag });
    const least = { ...common, ...at(-COPY_SLACK_MS), bytes: MIN_BYTES };
    return [least, { ...common, ...at(COPY_SLACK_MS), bytes }];
  }
  const { width, height, fps } = spec.video;
  const pictureMs = Math.ceil(1000 / fps);
  // The last frame may extend beyond the end, as may the encoder's priming audio block.
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
    videoTag: 'avc1',
    keyFrameMs: Math.min(ms, KEY_SECONDS * 1000),
    leadingFrames: undefined,
    hiddenFrames: undefined,
    pixelFormat: 'yuv420p',
    hdr: false,
    interlaced: false,
    unsteady: false,
    lastFrameMs: Math.max(0, ms - pictureMs),
  } as const;
  const videoBitrate = Math.ceil(mostPictureBits(spec.video, ms / 1000) / (ms / 1000));
  return [
    { ...encoded, bytes: MIN_BYTES, durationMs: ms - 1, videoBitrate: 1 },
    { ...encoded, bytes, durationMs: ms + beyondMs, videoBitrate },
  ];
}

/** The file has only the film and its sound, and its times start at 0. */
const ONLY_TRACKS = {
  ...{ filmTrack: undefined, soundTrack: undefined, audioUnusable: undefined },
  ...{ offsetMs: undefined, statedMs: undefined },
} as const satisfies Partial<VideoFacts>;

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
