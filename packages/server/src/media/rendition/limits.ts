import type { Container } from '../types.ts';

/**
 * Pixel formats in which phones can play H.264: 8 bits, 4:2:0. Their decoders support none of the profiles High 10,
 * High 4:2:2, and High 4:4:4 Predictive.
 */
export const PLAYABLE_H264: readonly string[] = ['yuv420p', 'yuvj420p'];

/**
 * A platform's limits for videos. Plain data. An absent limit means no limit. A property that is unknown for a video
 * violates no limit; `VideoFacts` of earlier versions lack some.
 */
export interface VideoLimits {
  maxBytes: number;
  minBytes?: number;
  minSeconds?: number;
  maxSeconds?: number;
  containers: readonly Container[];
  /** As ffprobe names them; absent: any. */
  videoCodecs?: readonly string[];
  /** As ffprobe names them (`yuv420p`). */
  pixelFormats?: readonly string[];
  /** Pixel formats of H.264 that the platform documents; absent: {@link PLAYABLE_H264}. */
  h264Formats?: readonly string[];
  audioCodecs?: readonly string[];
  /** As ffprobe names them (`LC`). */
  audioProfiles?: readonly string[];
  maxAudioChannels?: number;
  /** Samples per second. */
  maxAudioRate?: number;
  /** Videos without audio are not accepted. */
  needsAudio?: boolean;
  maxFps?: number;
  minFps?: number;
  /** Total number of frames. */
  maxFrames?: number;
  /** Constant frame rate required. */
  steadyRate?: boolean;
  /** No interlaced video. */
  progressive?: boolean;
  /** Displayed sizes in pixels. */
  minWidth?: number;
  maxWidth?: number;
  minHeight?: number;
  maxHeight?: number;
  /** Minimum of the shorter side. */
  minSide?: number;
  /** Maximum of the longer side. */
  maxSide?: number;
  /** Width times height. */
  maxPixels?: number;
  /** Width divided by height, with a tolerance of one percent. */
  minAspect?: number;
  maxAspect?: number;
  squarePixels?: boolean;
  /** Mean bit rate of the video stream, in bits per second. */
  maxBitrate?: number;
  /** The index must precede the data (MP4 and similar). */
  indexFirst?: boolean;
  /** No edit list may hide frames. */
  noHiddenFrames?: boolean;
  /** GOPs must be closed. Checked for H.264 only: phones record HEVC with leading frames, and platforms accept it. */
  closedGops?: boolean;
  /** Maximum interval between key frames, in seconds. */
  maxKeySeconds?: number;
  /** The film and its sound must be the first tracks, because platforms take these. Absent: true. */
  firstTracks?: boolean;
  /** The file must not be longer than the film and its sound, because platforms measure the file. Absent: true. */
  ownLength?: boolean;
}
