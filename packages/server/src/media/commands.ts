import { FORMATS } from './formats.ts';
import { type Adjustments, CENTER, type Container, type Fit, type Part, type VideoFacts } from './types.ts';

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
function seek({ atSeconds, container, exact }: Pick<ThumbnailPlan, 'atSeconds' | 'container' | 'exact'>): {
  jump: number;
  trim: number;
} {
  if (exact) return { jump: 0, trim: atSeconds };
  if (container !== 'mpegts' && container !== 'flv') return { jump: atSeconds, trim: 0 };
  const jump = Math.max(0, atSeconds - 10);
  return { jump, trim: atSeconds - jump };
}

/** The video to fit into 9:16. */
export interface FitPlan
  extends Pick<VideoFacts, 'hasAudio' | 'filmTrack' | 'soundTrack' | 'offsetMs' | 'fps' | 'unsteady'>,
    Pick<Adjustments, 'cropPosition'> {
  path: string;
  container: Container;
  fit: Fit;
  /** null: the whole video. */
  part: Part | null;
  /** Finds the part by decoding from the start: slow, but needs no index to seek. */
  exact: boolean;
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

/**
 * Arguments of ffmpeg for an H.264 and AAC file of 1080 × 1920 with its index first and with closed GOPs. A smaller
 * vertical video keeps its size.
 */
export function fitArgs(plan: FitPlan): string[] {
  const cut = cutOf(plan);
  const isSmall = hasShapeOf(plan, FITTED) && plan.width < FITTED.width;
  const frame = isSmall ? { width: even(plan.width), height: even(plan.height) } : FITTED;
  const filter = [
    ...cut.picture,
    ...fill(plan, frame, plan.fit, plan.cropPosition),
    ...(plan.toneMap ? TONE_MAP_VIDEO : []),
    'format=yuv420p',
    'setsar=1',
  ];
  const streams = [...mapFilm(plan), ...mapSound(plan), '-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1'];
  const keys = ['-force_key_frames', `expr:gte(t,n_forced*${KEY_SECONDS})`, '-flags:v', '+cgop'];
  const threads = ['-threads', String(plan.threads), '-filter_threads', '1'];
  const video = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '21', '-fpsmax', '60', ...keys, ...threads];
  const audio = [...cut.sound, '-c:a', 'aac', '-b:a', '160k', '-ar', '48000', '-ac', '2'];
  const bounds = ['-t', cut.seconds ?? '91', '-fs', String(MAX_OUTPUT)];
  const output = ['-movflags', '+faststart', ...bounds, '-f', 'mp4', '-y', `file:${plan.outPath}`];
  const input = [...cut.seek, ...inputArgs(plan.path, plan.container, plan.threads, plan.offsetMs)];
  const fitted = [...QUIET, ...input, ...streams, '-vf', filter.join(','), ...video, ...audio, ...output];
  return plan.picture ? [...fitted, ...pictureArgs(plan, plan.picture)] : fitted;
}

/** Arguments of a second output: the frame at a given time, in the shape of the fitted video. */
function pictureArgs(plan: FitPlan, { atSeconds, outPath }: { atSeconds: number; outPath: string }): string[] {
  const filter = [
    ...cutOf(plan).picture,
    ...fill(plan, THUMBNAIL, plan.fit, plan.cropPosition),
    ...(plan.toneMap ? TONE_MAP : SDR),
    ...JPEG_PIXELS,
  ];
  return ['-ss', atSeconds.toFixed(3), ...onePicture(plan), '-vf', filter.join(','), ...JPEG, `file:${outPath}`];
}

/** Options and filters that keep a part of a video. */
interface Cut {
  /** Input options. */
  seek: string[];
  picture: string[];
  /** Options of the sound. */
  sound: string[];
  /** Length of the part. */
  seconds?: string;
}

/** Limits of the constant frame rate of a part. */
const PART_FPS = { least: 24, unsteady: 30, most: 60 } as const;

/**
 * The seek is inexact on purpose: an exact one drops the frame that is displayed when the part starts, if it began
 * before. At a constant rate it is repeated, so that the part starts with it, and with its sound.
 */
function cutOf({ part, container, exact, fps, unsteady, hasAudio }: FitPlan): Cut {
  if (part === null) return { seek: [], picture: [], sound: [] };
  const { jump, trim } = seek({ atSeconds: part.startMs / 1000, container, exact });
  const [start, seconds] = [trim.toFixed(3), (part.lengthMs / 1000).toFixed(3)];
  const rate = unsteady ? PART_FPS.unsteady : Math.min(PART_FPS.most, Math.max(PART_FPS.least, fps));
  const kept = `start=${start}:duration=${seconds}`;
  const sound = [`atrim=${kept}`, `asetpts=PTS-${start}/TB`, 'aresample=48000:async=1:first_pts=0'];
  return {
    seek: jump > 0 ? ['-noaccurate_seek', '-ss', jump.toFixed(3)] : [],
    picture: [`fps=fps=${rate}`, `trim=${kept}`, 'setpts=PTS-STARTPTS'],
    sound: hasAudio ? ['-af', sound.join(',')] : [],
    seconds,
  };
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
 * to it, which also applies the sample aspect ratio. Any other shape is scaled to fit inside (pad, blur) or to cover
 * (crop).
 * @param cropPosition as in {@link Adjustments}
 */
export function fill(shape: Size, frame: Size, fit: Fit, cropPosition = CENTER): string[] {
  if (hasShapeOf(shape, frame)) return [`scale=${frame.width}:${frame.height}`];
  if (fit === 'crop') return cover(shape, frame, cropPosition);
  const { width, height } = scaled(shape, frame, ratio(shape) > ratio(frame));
  const inside = `scale=${width}:${height}`;
  if (fit === 'pad') return [inside, `pad=${frame.width}:${frame.height}:(ow-iw)/2:(oh-ih)/2:color=black`];
  // Blurring a small picture costs little, and enlarging it blurs it again.
  const small = { width: BLURRED_WIDTH, height: even((BLURRED_WIDTH * frame.height) / frame.width) };
  const back = [...cover(shape, small, CENTER), 'boxblur=6:3', `scale=${frame.width}:${frame.height}`].join(',');
  // By default, an overlay has 8 bits, which are too few for HDR.
  const overlay = 'overlay=(W-w)/2:(H-h)/2:format=auto';
  return [`split[back][front];[back]${back}[blurred];[front]${inside}[film];[blurred][film]${overlay}`];
}

const ratio = ({ width, height }: Size) => width / height;

/** Within 1 %. */
const hasShapeOf = (shape: Size, frame: Size) => Math.abs(ratio(shape) / ratio(frame) - 1) <= 0.0101;

/** Width of the picture that is blurred, in pixels. */
const BLURRED_WIDTH = 144;

function cover(shape: Size, frame: Size, position: number): string[] {
  const { width, height } = scaled(shape, frame, ratio(shape) < ratio(frame));
  const at = position.toFixed(4);
  return [`scale=${width}:${height}`, `crop=${frame.width}:${frame.height}:(iw-ow)*${at}:(ih-oh)*${at}`];
}

/** The shape with the width or the height of the frame. */
function scaled({ width, height }: Size, frame: Size, byWidth: boolean): Size {
  if (byWidth) return { width: frame.width, height: even(frame.width * (height / width)) };
  return { width: even(frame.height * (width / height)), height: frame.height };
}

/** The nearest even number of pixels, as required by 4:2:0; at least 2. */
export function even(pixels: number): number {
  return Math.max(2, 2 * Math.round(pixels / 2));
}
