import type { Container } from '../types.ts';

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
}
