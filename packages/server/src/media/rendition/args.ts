/** The command lines of ffmpeg that make a rendition. Pure. */
import { fill, inputArgs, LARGEST_OUTPUT, QUIET, TONE_MAP_VIDEO } from '../commands.ts';
import type { VideoFacts } from '../types.ts';
import { AUDIO_RATE, AUDIO_SAMPLES, type EncodedVideo, lengthOf, mostBytes, type RenditionSpec } from './spec.ts';

/** Seconds from one key picture to the next at most. */
const KEY_SECONDS = 2;
/** A picture is shown longer at the end for this much more than the video's own last one, in seconds. */
const LAST_PICTURE_SLACK = 0.3;
/** What the sound encoder puts before the first sample. */
const PRIMING_SAMPLES = 1024;
/** Part of the pictures and blocks of sound that may be damaged before the video counts as unreadable. */
const MOST_DAMAGED = 0.05;

export interface RenderPlan {
  path: string;
  outPath: string;
  facts: VideoFacts;
  spec: RenditionSpec;
  /** Whether HDR can be mapped: this build of ffmpeg has the filters. */
  canToneMap: boolean;
  /** Threads of decoder and encoder each. */
  threads: number;
}

/** Arguments of ffmpeg; progress comes on stdout, twice a second. */
export function renderArgs({ path, outPath, facts, spec, canToneMap, threads }: RenderPlan): string[] {
  const seconds = lengthOf(spec, facts).toFixed(3);
  const report = ['-progress', 'pipe:1', '-stats_period', '0.5'];
  const silent = spec.audio === 'silence';
  const silence = silent ? ['-f', 'lavfi', '-i', `anullsrc=r=${AUDIO_SAMPLES}:cl=stereo`] : [];
  const sound = spec.audio === 'none' ? ['-an'] : ['-map', silent ? '1:a' : '0:a:0'];
  const streams = ['-map', '0:V:0', ...sound, '-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1'];
  const codecs =
    spec.video === 'copy'
      ? [...copyArgs(facts), ...audioArgs(spec, false)]
      : [...encodeArgs(spec.video, facts, canToneMap, threads), ...audioArgs(spec, true)];
  // A copy ends with its last packet; everything else is cut to its length.
  const length = spec.video === 'copy' && spec.audio === 'copy' ? [] : ['-t', seconds];
  const bounds = [...length, '-fs', String(Math.min(LARGEST_OUTPUT, mostBytes(spec, facts)))];
  const errors = ['-max_error_rate', String(MOST_DAMAGED)];
  const output = [...errors, '-fflags', '+bitexact', ...bounds, '-f', 'mp4', '-y', `file:${outPath}`];
  return [
    ...QUIET,
    ...report,
    ...inputArgs(path, facts.container, threads),
    ...silence,
    ...streams,
    ...codecs,
    ...output,
  ];
}

function copyArgs({ videoCodec }: VideoFacts): string[] {
  // Apple's players know HEVC by this name only.
  const tag = videoCodec === 'hevc' ? ['-tag:v', 'hvc1'] : [];
  return ['-c:v', 'copy', ...tag, '-movflags', '+faststart'];
}

/**
 * H.264 with key pictures that nothing refers across, and times that need no edit list: Instagram and Threads take none
 * ("Reel specifications", "Video specifications").
 */
function encodeArgs(video: EncodedVideo, facts: VideoFacts, canToneMap: boolean, threads: number): string[] {
  const rate = ['-crf', '21', '-maxrate', String(video.maxRate), '-bufsize', String(video.maxRate)];
  const keys = ['-g', String(KEY_SECONDS * video.fps), '-flags:v', '+bitexact+cgop'];
  const codec = ['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high', ...rate, ...keys];
  const times = ['-movflags', '+faststart+negative_cts_offsets', '-use_editlist', '0'];
  const work = ['-threads', String(threads), '-filter_threads', '1'];
  return ['-vf', pictureFilters(video, facts, canToneMap).join(','), ...codec, ...work, ...times];
}

function pictureFilters(video: EncodedVideo, facts: VideoFacts, canToneMap: boolean): string[] {
  const steady = `fps=fps=${video.fps}:start_time=0`;
  const dropsPictures = video.fps < facts.fps;
  const last = Math.max(0, facts.durationMs - facts.lastFrameMs) / 1000 + LAST_PICTURE_SLACK;
  return [
    ...(facts.interlaced ? ['bwdif=mode=send_frame'] : []),
    ...(dropsPictures ? [steady] : []),
    ...fill(facts, video, 'pad'),
    ...(facts.hdr && canToneMap ? TONE_MAP_VIDEO : ['scale=out_range=tv']),
    ...(dropsPictures ? [] : [steady]),
    `tpad=stop_mode=clone:stop_duration=${last.toFixed(3)}`,
    'format=yuv420p',
    'setsar=1',
  ];
}

/**
 * @param alone nothing but its own times says when the sound begins: what the encoder puts first takes the place of the first
 * samples, so that all others stay where they were
 */
function audioArgs({ audio }: RenditionSpec, alone: boolean): string[] {
  if (audio === 'none') return [];
  if (audio === 'copy') return ['-c:a', 'copy'];
  const trimmed = alone ? [`atrim=start_sample=${PRIMING_SAMPLES}`, 'asetpts=PTS-STARTPTS'] : [];
  const filters = [`aresample=${AUDIO_SAMPLES}:async=1:first_pts=0`, ...trimmed, 'apad'];
  const codec = [
    '-c:a',
    'aac',
    '-profile:a',
    'aac_low',
    '-b:a',
    String(AUDIO_RATE),
    '-ac',
    '2',
    '-flags:a',
    '+bitexact',
  ];
  return ['-af', filters.join(','), ...codec];
}

/** How far ffmpeg is, 0 to 1, by one line of its progress; null: the line does not say. @param seconds of the whole */
export function progressOf(line: string, seconds: number): number | null {
  const [, micros] = /^out_time_us=(\d+)$/.exec(line.trim()) ?? [];
  return micros === undefined ? null : Math.min(1, Number(micros) / 1e6 / seconds);
}
