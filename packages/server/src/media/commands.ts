import { FORMATS } from './formats.ts';
import type { Container, Fit } from './types.ts';

/** Most pixels that a picture may have: 8K (7680 × 4320). */
export const MOST_PIXELS = 7680 * 4320;

/** Size of a thumbnail in pixels. */
export const THUMBNAIL = { width: 720, height: 1280 } as const;

/** Size of a fitted video in pixels. */
export const FITTED = { width: 1080, height: 1920 } as const;

/**
 * What every call gets before its input. The whitelists are what keeps a playlist, or a file that names other files,
 * from making ffmpeg read them; `file:` keeps a path from being read as an option or another protocol.
 */
export function inputArgs(path: string, container: Container, threads: number): string[] {
  const decoder = ['-threads', String(threads), '-max_pixels', String(MOST_PIXELS)];
  const lists = ['-protocol_whitelist', 'file', '-format_whitelist', FORMATS[container].demuxer];
  return [...decoder, ...lists, '-i', `file:${path}`];
}

const PROBED = [
  'packet=stream_index,pts_time,dts_time,duration_time,size,flags',
  'stream=index,codec_type,codec_name,profile,width,height,sample_aspect_ratio,pix_fmt,field_order,color_transfer',
  'stream=sample_rate,channels',
  'stream_disposition=attached_pic',
  'stream_side_data=rotation',
  'format=duration',
].join(':');

/** Arguments of ffprobe: every packet, then the streams, then the container, one line each. */
export function probeArgs(path: string, container: Container): string[] {
  return ['-v', 'error', '-hide_banner', '-show_entries', PROBED, '-of', 'compact', ...inputArgs(path, container, 1)];
}

/** The picture to take: where, and how to turn it into a JPEG. */
export interface ThumbnailPlan {
  path: string;
  container: Container;
  /** Seconds from the start, not past the last picture. */
  atSeconds: number;
  /** Shape as displayed, in pixels. */
  width: number;
  height: number;
  /** Whether to map HDR to what a JPEG can show. */
  toneMap: boolean;
  /** Decodes from the very beginning: slow, but it needs no index to jump by. */
  exact: boolean;
  outPath: string;
}

/**
 * Arguments of ffmpeg for a thumbnail of 720 × 1280. Rotation is applied by ffmpeg itself; `V` skips cover art.
 * Timestamps inside the filters begin at 0 where the input was sought to, so `trim` counts from there.
 */
export function thumbnailArgs(plan: ThumbnailPlan): string[] {
  const { jump, trim } = seek(plan);
  const first = trim > 0 ? [`trim=start=${trim.toFixed(3)}`, 'setpts=PTS-STARTPTS'] : [];
  const shape = [...fill(plan, THUMBNAIL, 'pad'), ...(plan.toneMap ? TONE_MAP : SDR), ...JPEG_PIXELS];
  const input = [...(jump > 0 ? ['-ss', jump.toFixed(3)] : []), ...inputArgs(plan.path, plan.container, 1)];
  return [...QUIET, ...input, ...ONE_PICTURE, '-vf', [...first, ...shape].join(','), ...JPEG, `file:${plan.outPath}`];
}

const ONE_PICTURE = ['-map', '0:V:0', '-frames:v', '1', '-an', '-sn', '-dn', '-filter_threads', '1'];
const JPEG_PIXELS = ['format=yuvj420p', 'setsar=1'];
const JPEG = ['-map_metadata', '-1', '-c:v', 'mjpeg', '-q:v', '3', '-f', 'image2', '-update', '1', '-y'];

/**
 * Seconds to jump before the input is opened, and seconds to decode and drop after that.
 * A jump lands a second off in MPEG-TS and finds nothing near the beginning of FLV: there it aims ten seconds too early.
 */
function seek({ atSeconds, container, exact }: ThumbnailPlan): { jump: number; trim: number } {
  if (exact) return { jump: 0, trim: atSeconds };
  if (container !== 'mpegts' && container !== 'flv') return { jump: atSeconds, trim: 0 };
  const jump = Math.max(0, atSeconds - 10);
  return { jump, trim: atSeconds - jump };
}

/** The video to fit into 9:16. */
export interface FitPlan {
  path: string;
  container: Container;
  fit: Fit;
  width: number;
  height: number;
  toneMap: boolean;
  /** Threads of decoder and encoder each. */
  threads: number;
  outPath: string;
  /** A JPEG of 720 × 1280 that the same run makes. */
  picture?: { atSeconds: number; outPath: string };
}

/** Largest file that a transcode may write, in bytes. */
export const LARGEST_OUTPUT = 524_288_000;

/** Arguments of ffmpeg for an H.264 and AAC file of 1080 × 1920 with its index first. */
export function fitArgs(plan: FitPlan): string[] {
  const filter = [
    ...fill(plan, FITTED, plan.fit),
    ...(plan.toneMap ? TONE_MAP_VIDEO : []),
    'format=yuv420p',
    'setsar=1',
  ];
  const streams = ['-map', '0:V:0', '-map', '0:a:0?', '-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1'];
  const threads = ['-threads', String(plan.threads), '-filter_threads', '1'];
  const video = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '21', '-fpsmax', '60', ...threads];
  const audio = ['-c:a', 'aac', '-b:a', '160k', '-ar', '48000', '-ac', '2'];
  const bounds = ['-t', '91', '-fs', String(LARGEST_OUTPUT)];
  const output = ['-movflags', '+faststart', ...bounds, '-f', 'mp4', '-y', `file:${plan.outPath}`];
  const input = inputArgs(plan.path, plan.container, plan.threads);
  const fitted = [...QUIET, ...input, ...streams, '-vf', filter.join(','), ...video, ...audio, ...output];
  return plan.picture ? [...fitted, ...pictureArgs(plan, plan.picture)] : fitted;
}

/** A second output: the picture at a moment, in the shape of the fitted video. */
function pictureArgs(plan: FitPlan, { atSeconds, outPath }: { atSeconds: number; outPath: string }): string[] {
  const filter = [...fill(plan, THUMBNAIL, plan.fit), ...(plan.toneMap ? TONE_MAP : SDR), ...JPEG_PIXELS];
  return ['-ss', atSeconds.toFixed(3), ...ONE_PICTURE, '-vf', filter.join(','), ...JPEG, `file:${outPath}`];
}

/** Asks nothing and says what goes wrong only. */
export const QUIET = ['-nostdin', '-hide_banner', '-v', 'error'];
const SDR = ['scale=out_range=pc'];

/** PQ and HLG come in BT.2020; files that do not say so are read as if they did. */
const LINEAR = [
  'setparams=color_primaries=bt2020:colorspace=bt2020nc',
  'zscale=t=linear:npl=100',
  'format=gbrpf32le',
  'zscale=p=bt709',
  'tonemap=tonemap=hable:desat=0',
];
const TONE_MAP = [...LINEAR, 'zscale=t=bt709:m=bt709:r=full'];

/** HDR to what every player shows, for a video. */
export const TONE_MAP_VIDEO = [...LINEAR, 'zscale=t=bt709:m=bt709:r=tv'];

interface Size {
  width: number;
  height: number;
}

/**
 * Filters that bring a picture of the displayed shape into the frame. A shape within 1 % of the frame's is stretched to it
 * (which applies the sample aspect too); any other is scaled to touch the frame from inside (pad) or outside (crop).
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

/** The nearest even number of pixels, as 4:2:0 needs it; at least 2. */
export function even(pixels: number): number {
  return Math.max(2, 2 * Math.round(pixels / 2));
}
