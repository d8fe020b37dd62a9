/** The container families that are taken, found from the file's own bytes. */
export type Container = 'mp4' | 'mov' | '3gp' | 'matroska' | 'webm' | 'mpegts' | 'avi' | 'flv';

/** How a shape other than 9:16 is made 9:16: bars around it, or its edges cut off. */
export type Fit = 'pad' | 'crop';

/** What is known of an accepted video, measured on its packets. Plain data: it can be stored as JSON. */
export interface VideoFacts {
  /** Size of the file. */
  bytes: number;
  container: Container;
  /** Media type of the container. */
  mime: string;
  /** From the first start to the last end over picture and sound, in ms. */
  durationMs: number;
  /** From the first picture to the beginning of the last, in ms: a thumbnail cannot be taken after it. */
  lastFrameMs: number;
  /** Width as displayed: sample aspect and rotation applied. */
  width: number;
  /** Height as displayed: sample aspect and rotation applied. */
  height: number;
  codedWidth: number;
  codedHeight: number;
  /** Degrees clockwise by which players turn the stored picture. */
  rotation: 0 | 90 | 180 | 270;
  /** Mean pictures per second, rounded to 3 decimals. */
  fps: number;
  /** Names as ffmpeg gives them: `h264`, `hevc`, `vp9`, … */
  videoCodec: string;
  audioCodec: string | null;
  pixelFormat: string;
  /** Whether the transfer function is PQ or HLG. */
  hdr: boolean;
  hasAudio: boolean;
  // What follows is absent where it is not known, as it is of videos that were checked by an earlier version.
  /** Of the first sound track. */
  audioChannels?: number;
  /** Samples a second. */
  audioRate?: number;
  /** As ffmpeg names it: `LC`, `HE-AAC`, … */
  audioProfile?: string;
  /** Mean bits a second of the picture alone. */
  videoBitrate?: number;
  /** Whether each picture is woven of two halves. */
  interlaced?: boolean;
  /** Whether some pictures stand much longer than others. */
  unsteady?: boolean;
  /** Whether the index stands before the data; absent too where the container has no such thing. */
  indexFirst?: boolean;
}
