/** Supported container families, detected from the file's content. */
export type Container = 'mp4' | 'mov' | '3gp' | 'matroska' | 'webm' | 'mpegts' | 'avi' | 'flv';

/** How to convert another shape to 9:16: add black bars, fill them with the blurred video, or crop the edges. */
export const FITS = ['pad', 'blur', 'crop'] as const;
export type Fit = (typeof FITS)[number];

/** What is made of a video before it is posted. */
export interface Adjustments {
  /** null: it must be 9:16 already. */
  fit: Fit | null;
  /** With `crop`, the part of the picture that stays: from 0, the left or the top, to 1. */
  cropPosition: number;
  /** null: the whole video. */
  trim: Trim | null;
}

/** From and to, in ms from the start of the video. */
export interface Trim {
  startMs: number;
  /** null: to the end of the video. */
  endMs: number | null;
}

/** A part of a video, in ms from the start of its film and sound. */
export interface Part {
  startMs: number;
  lengthMs: number;
}

/** The middle of the picture. */
export const CENTER = 0.5;

/** The video is posted as it was sent. */
export const NO_ADJUSTMENTS: Adjustments = { fit: null, cropPosition: CENTER, trim: null };

/** Properties of an accepted video, measured on its packets. Plain data that can be stored as JSON. */
export interface VideoFacts {
  /** Size of the file in bytes. */
  bytes: number;
  container: Container;
  /** Media type of the container. */
  mime: string;
  /** From the first start to the last end over the film and its sound, in ms. */
  durationMs: number;
  /** From the first frame to the start of the last one, in ms. A thumbnail cannot be taken after it. */
  lastFrameMs: number;
  /** Displayed width: sample aspect ratio and rotation applied. */
  width: number;
  /** Displayed height: sample aspect ratio and rotation applied. */
  height: number;
  codedWidth: number;
  codedHeight: number;
  /** Clockwise rotation that players apply, in degrees. */
  rotation: 0 | 90 | 180 | 270;
  /** Mean frames per second, rounded to 3 decimals. */
  fps: number;
  /** Names as ffmpeg gives them: `h264`, `hevc`, `vp9`, … */
  videoCodec: string;
  audioCodec: string | null;
  pixelFormat: string;
  /** Whether the transfer function is PQ or HLG. */
  hdr: boolean;
  hasAudio: boolean;
  // The following are absent if unknown, as for videos that an earlier version checked.
  /** Position of the film among the video tracks that are no cover pictures; absent: 0. */
  filmTrack?: number;
  /** Position of the sound among the audio tracks; absent: 0. */
  soundTrack?: number;
  /** There are audio tracks, but none has samples that can be decoded. Then `hasAudio` is false. */
  audioUnusable?: boolean;
  /** Ms by which another track starts before the film and its sound. */
  offsetMs?: number;
  /** End of the last track in ms, if it is not near `durationMs`: times that do not start at 0, or a longer track. */
  statedMs?: number;
  /** Frames of the film that an edit list hides. */
  hiddenFrames?: number;
  /** Duration of the audio that an edit list hides, in ms. Encoders hide some (priming). */
  hiddenAudioMs?: number;
  /** The longest interval between two key frames, or from the last one to the end, in ms. */
  keyFrameMs?: number;
  /**
   * Whether frames that follow a key frame are displayed before it. In H.264 these are open GOPs. In HEVC such frames
   * may be decodable (RADL).
   */
  leadingFrames?: boolean;
  /** The code of the video codec in an MP4 or MOV: `hvc1`. */
  videoTag?: string;
  /** Size of the largest audio packet, in bytes. */
  audioPacketBytes?: number;
  audioChannels?: number;
  /** Samples per second. */
  audioRate?: number;
  /** As ffmpeg names it: `LC`, `HE-AAC`, … */
  audioProfile?: string;
  /** Mean bits per second of the video stream alone. */
  videoBitrate?: number;
  /** Whether the video is interlaced. */
  interlaced?: boolean;
  /** Whether some frames are displayed much longer than others. */
  unsteady?: boolean;
  /** Whether the index precedes the data; also absent if the container has no index. */
  indexFirst?: boolean;
}
