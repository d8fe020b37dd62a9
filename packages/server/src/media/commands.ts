import { FORMATS } from './formats.ts';
import type { Container, Fit, VideoFacts } from './types.ts';

/** Maximum pixels of a frame: 8K (7680 × 4320). */
export const MAX_PIXELS = 7680 * 4320;

/** Size of a thumbnail in pixels. */
export const THUMBNAIL = { width: 720, height: 1280 } as const;

/** Size of a fitted video in pixels. */
export const FITTED = { width: 1080, height: 1920 } as const;

/**
 * Input arguments of every call. The whitelists prevent a playlist, or a file that names other files, from making
 * ffmpeg read them. `file:` prevents a path from being parsed as an option or another protocol.
 * @param offsetMs as in `VideoFacts`; then the output starts with the film and its sound
 */
export function inputArgs(path: string, container: Container, threads: number, offsetMs = 0): string[] {
  const offset = offsetMs > 0 ? ['-itsoffset', (-offsetMs / 1000).toFixed(3)] : [];
  const decoder = ['-threads', String(threads), '-max_pixels', String(MAX_PIXELS)];
  const lists = ['-protocol_whitelist', 'file', '-format_whitelist', FORMATS[container].demuxer];
  return [...offset, ...decoder, ...lists, '-i', `file:${path}`];
}

const PROBED = [
  'packet=stream_index,pts_time,dts_time,duration_time,size,flags',
  'stream=index,codec_type,codec_name,codec_tag_string,profile,width,height,sample_aspect_ratio,pix_fmt',
  'stream=field_order,color_transfer',
  'stream=sample_rate,sample_fmt,channels,channel_layout',
  'stream_disposition=attached_pic',
  'stream_side_data=rotation',
  'format=duration',
].join(':');

/** Arguments of ffprobe: prints every packet, then the streams, then the container, one per line. */
export function probeArgs(path: string, container: Container): string[] {
  return ['-v', 'error', '-hide_banner', '-show_entries', PROBED, '-of', 'compact', ...inputArgs(path, container, 1)];
}

/** The frame to extract and how to convert it to a JPEG. */
export interface ThumbnailPlan {
  path: string;
  container: Container;
  /** Seconds from the start, not after the last frame. */
  atSeconds: number;
  /** Displayed size in pixels. */
  width: number;
  height: number;
  /** Whether to map HDR to the range of a JPEG. */
  toneMap: boolean;
  /** As in `VideoFacts`. */
  filmTrack?: number;
  /** Decodes from the start: slow, but needs no index to seek. */
  exact: boolean;
  outPath: string;
}

/**
 * Arguments of ffmpeg for a thumbnail of 720 × 1280. ffmpeg applies the rotation itself.
 * Timestamps inside the filters start at 0 at the seek position, so `trim` counts from there.
 */
export function thumbnailArgs(plan: ThumbnailPlan): string[] {
  const { jump, trim } = seek(plan);
  const first = trim > 0 ? [`trim=start=${trim.toFixed(3)}`, 'setpts=PTS-STARTPTS'] : [];
  const shape = [...fill(plan, THUMBNAIL, 'pad'), ...(plan.toneMap ? TONE_MAP : SDR), ...JPEG_PIXELS];
  const input = [...(jump > 0 ? ['-ss', jump.toFixed(3)] : []), ...inputArgs(plan.path, plan.container, 1)];
  return [
    ...QUIET,
    ...input,
    ...onePicture(plan),
    '-vf',
    [...first, ...shape].join(','),
    ...JPEG,
    `file:${plan.outPath}`,
  ];
}

/** Selects the film of an input, which is the first by default. `V` leaves out cover pictures. */
export function mapFilm({ filmTrack = 0 }: Pick<VideoFacts, 'filmTrack'>, input = 0): string[] {
  return ['-map', `${input}:V:${filmTrack}`];
}

/** Selects the sound, if any. */
export function mapSound({ hasAudio, soundTrack = 0 }: Pick<VideoFacts, 'hasAudio' | 'soundTrack'>): string[] {
  return hasAudio ? ['-map', `0:a:${soundTrack}`] : ['-an'];
}

function onePicture(film: Pick<VideoFacts, 'filmTrack'>): string[] {
  return [...mapFilm(film), '-frames:v', '1', '-an', '-sn', '-dn', '-filter_threads', '1'];
}

const JPEG_PIXELS = ['format=yuvj420p', 'setsar=1'];
const JPEG = ['-map_metadata', '-1', '-c:v', 'mjpeg', '-q:v', '3', '-f', 'image2', '-update', '1', '-y'];

/**
 * Seconds to seek before opening the input, and seconds to decode and drop after that. A seek is inaccurate by a second
 * in MPEG-TS and fails near the start of FLV. In these it targets ten seconds earlier.
 */
function seek({ atSeconds, container, exact }: ThumbnailPlan): { jump: number; trim: number } {
  if (exact) return { jump: 0, trim: atSeconds };
  if (container !== 'mpegts' && container !== 'flv') return { jump: atSeconds, trim: 0 };
  const jump = Math.max(0, atSeconds - 10);
  return { jump, trim: atSeconds - jump };
}

/** The video to fit into 9:16. */
export interface FitPlan extends Pick<VideoFacts, 'hasAudio' | 'filmTrack' | 'soundTrack' | 'offsetMs'> {
  path: string;
  container: Container;
  fit: Fit;
  width: number;
  height: number;
  toneMap: boolean;
  /** Threads of the decoder and of the encoder. */
  threads: number;
  outPath: string;
  /** A JPEG of 720 × 1280 made by the same run. */
  picture?: { atSeconds: number; outPath: string };
}

/** Maximum interval between key frames in encoded files, in seconds. */
export const KEY_SECONDS = 2;

/** Maximum output size of a transcode, in bytes. */
export const MAX_OUTPUT = 524_288_000;

/** Arguments of ffmpeg for an H.264 and AAC file of 1080 × 1920 with its index first and with closed GOPs. */
export function fitArgs(plan: FitPlan): string[] {
  const filter = [
    ...fill(plan, FITTED, plan.fit),
    ...(plan.toneMap ? TONE_MAP_VIDEO : []),
    'format=yuv420p',
    'setsar=1',
  ];
  const streams = [...mapFilm(plan), ...mapSound(plan), '-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1'];
  const keys = ['-force_key_frames', `expr:gte(t,n_forced*${KEY_SECONDS})`, '-flags:v', '+cgop'];
  const threads = ['-threads', String(plan.threads), '-filter_threads', '1'];
  const video = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '21', '-fpsmax', '60', ...keys, ...threads];
  const audio = ['-c:a', 'aac', '-b:a', '160k', '-ar', '48000', '-ac', '2'];
  const bounds = ['-t', '91', '-fs', String(MAX_OUTPUT)];
  const output = ['-movflags', '+faststart', ...bounds, '-f', 'mp4', '-y', `file:${plan.outPath}`];
  const input = inputArgs(plan.path, plan.container, plan.threads, plan.offsetMs);
  const fitted = [...QUIET, ...input, ...streams, '-vf', filter.join(','), ...video, ...audio, ...output];
  return plan.picture ? [...fitted, ...pictureArgs(plan, plan.picture)] : fitted;
}

/** Arguments of a second output: the frame at a given time, in the shape of the fitted video. */
function pictureArgs(plan: FitPlan, { atSeconds, outPath }: { atSeconds: number; outPath: string }): string[] {
  const filter = [...fill(plan, THUMBNAIL, plan.fit), ...(plan.toneMap ? TONE_MAP : SDR), ...JPEG_PIXELS];
  return ['-ss', atSeconds.toFixed(3), ...onePicture(plan), '-vf', filter.join(','), ...JPEG, `file:${outPath}`];
}

/** Disables prompts and prints errors only. */
export const QUIET = ['-nostdin', '-hide_banner', '-v', 'error'];
const SDR = ['scale=out_range=pc'];

/** PQ and HLG use BT.2020. Files without this metadata are treated the same. */
const LINEAR = [
  'setparams=color_primaries=bt2020:colorspace=bt2020nc',
  'zscale=t=linear:npl=100',
  'format=gbrpf32le',
  'zscale=p=bt709',
  'tonemap=tonemap=hable:desat=0',
];
const TONE_MAP = [...LINEAR, 'zscale=t=bt709:m=bt709:r=full'];

/** Maps HDR to SDR for a video. */
export const TONE_MAP_VIDEO = [...LINEAR, 'zscale=t=bt709:m=bt709:r=tv'];

interface Size {
  width: number;
  height: number;
}

/**
 * Filters that fit a frame of the displayed shape into the target size. A shape within 1 % of the target is stretched
 * to it, which also applies the sample aspect ratio. Any other shape is scaled to fit inside (pad) or to cover (crop).
 */
export function fill(shape: Size, frame: Size, fit: Fit): string[] {
  const wide = shape.width / shape.height / (frame.width / frame.height);
  if (Math.abs(wide - 1) <= 0.0101) return [`scale=${frame.width}:${frame.height}`];
  const byWidth = fit === 'pad' ? wide > 1 : wide < 1;
  const width = byWidth ? frame.width : even(frame.height * (shape.width / shape.height));
  const height = byWidth ? even(frame.width * (shape.height / shape.width)) : frame.height;
  const cut = `crop=${frame.width}:${frame.height}`;
  const bars = `pad=${frame.width}:${frame.height}:(ow-iw)/2:(oh-ih)/2:color=black`;
  return [`scale=${width}:${height}`, fit === 'pad' ? bars : cut];
}

/** The nearest even number of pixels, as required by 4:2:0; at least 2. */
export function even(pixels: number): number {
  return Math.max(2, 2 * Math.round(pixels / 2));
}
