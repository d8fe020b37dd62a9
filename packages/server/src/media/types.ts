/** Supported container families, detected from the file's content. */
export type Container = 'mp4' | 'mov' | '3gp' | 'matroska' | 'webm' | 'mpegts' | 'avi' | 'flv';

/** How to convert another shape to 9:16: add bars, or crop the edges. */
export type Fit = 'pad' | 'crop';

/** Properties of an accepted video, measured on its packets. Plain data that can be stored as JSON. */
export interface VideoFacts {
  /** Size of the file in bytes. */
  bytes: number;
  container: Container;
  /** Media type of the container. */
  mime: string;
  /** From the first start to the last end over video and audio, in ms. */
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
  /** Channels of the first audio track. */
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
