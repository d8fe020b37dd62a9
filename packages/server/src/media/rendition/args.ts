/** Builds the ffmpeg arguments of a rendition. Pure. */
import { fill, inputArgs, KEY_SECONDS, MAX_OUTPUT, mapFilm, mapSound, QUIET, TONE_MAP_VIDEO } from '../commands.ts';
import type { VideoFacts } from '../types.ts';
import { AUDIO_RATE, AUDIO_SAMPLES, type EncodedVideo, lengthOf, mostBytes, type RenditionSpec } from './spec.ts';

/** The last frame is extended by this much beyond the original's end, in seconds. */
const LAST_PICTURE_SLACK = 0.3;
/** Samples that the audio encoder adds before the first sample (priming). */
const PRIMING_SAMPLES = 1024;
/** Maximum share of damaged frames and audio blocks before the video counts as unreadable. */
const MAX_DAMAGED = 0.05;

export interface RenderPlan {
  path: string;
  outPath: string;
  facts: VideoFacts;
  spec: RenditionSpec;
  /** Whether this build of ffmpeg has the filters to map HDR. */
  canToneMap: boolean;
  /** Threads of the decoder and of the encoder. */
  threads: number;
}

/** Arguments of ffmpeg. Progress is printed on stdout twice a second. */
export function renderArgs({ path, outPath, facts, spec, canToneMap, threads }: RenderPlan): string[] {
  const seconds = lengthOf(spec, facts).toFixed(3);
  const report = ['-progress', 'pipe:1', '-stats_period', '0.5'];
  const silent = spec.audio === 'silence';
  const silence = silent ? ['-f', 'lavfi', '-i', `anullsrc=r=${AUDIO_SAMPLES}:cl=stereo`] : [];
  const sound = spec.audio === 'none' ? ['-an'] : silent ? ['-map', '1:a'] : mapSound(facts);
  const streams = [...mapFilm(facts), ...sound, '-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1'];
  const codecs =
    spec.video === 'copy'
      ? [...copyArgs(facts), ...audioArgs(spec, false)]
      : [...encodeArgs(spec.video, facts, canToneMap, threads), ...audioArgs(spec, true)];
  // A copy ends with its last packet; everything else is cut to its length.
  const length = spec.video === 'copy' && spec.audio === 'copy' ? [] : ['-t', seconds];
  const bounds = [...length, '-fs', String(Math.min(MAX_OUTPUT, mostBytes(spec, facts)))];
  const errors = ['-max_error_rate', String(MAX_DAMAGED)];
  const output = [...errors, '-fflags', '+bitexact', ...bounds, '-f', 'mp4', '-y', `file:${outPath}`];
  return [
    ...QUIET,
    ...report,
    ...inputArgs(path, facts.container, threads, facts.offsetMs),
    ...silence,
    ...streams,
    ...codecs,
    ...output,
  ];
}

function copyArgs({ videoCodec }: VideoFacts): string[] {
  // Apple's players recognize HEVC only by this tag.
  const tag = videoCodec === 'hevc' ? ['-tag:v', 'hvc1'] : [];
  return ['-c:v', 'copy', ...tag, '-movflags', '+faststart'];
}

/**
 * Encodes H.264 with closed GOPs and without edit lists, which Instagram and Threads do not accept ("Reel
 * specifications", "Video specifications").
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
 * @param alone only its own timestamps define when the audio starts. Then the encoder's priming replaces the first
 * samples, so that all others keep their time.
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

/**
 * Parses one line of ffmpeg's progress.
 * @param seconds length of the whole
 * @returns progress from 0 to 1; null if the line has none
 */
export function progressOf(line: string, seconds: number): number | null {
  const [, micros] = /^out_time_us=(\d+)$/.exec(line.trim()) ?? [];
  return micros === undefined ? null : Math.min(1, Number(micros) / 1e6 / seconds);
}
