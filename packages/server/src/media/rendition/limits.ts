import type { Container } from '../types.ts';

/**
 * What a platform takes of a video. Plain data. A limit that is absent is no limit; a fact that is not known of a video
 * (`VideoFacts` of earlier versions lack some) is held against none.
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
  /** Samples a second. */
  maxAudioRate?: number;
  /** A video without sound is not taken. */
  needsAudio?: boolean;
  maxFps?: number;
  minFps?: number;
  /** Pictures in all. */
  maxFrames?: number;
  /** The pictures follow each other at one rate. */
  steadyRate?: boolean;
  /** No interlaced pictures. */
  progressive?: boolean;
  /** Sizes in pixels, as displayed. */
  minWidth?: number;
  maxWidth?: number;
  minHeight?: number;
  maxHeight?: number;
  /** Of the shorter side. */
  minSide?: number;
  /** Of the longer side. */
  maxSide?: number;
  /** Width times height. */
  maxPixels?: number;
  /** Width divided by height; one per cent is forgiven. */
  minAspect?: number;
  maxAspect?: number;
  squarePixels?: boolean;
  /** Mean rate of the picture, in bits a second. */
  maxBitrate?: number;
  /** The index stands before the data (MP4 and its kin). */
  indexFirst?: boolean;
}
