/** Measures how loud audio tracks are, by decoding them. */
import { resolve } from 'node:path';
import { apiError, type ReelayError } from '../errors/reelay-error.ts';
import { inputArgs } from './commands.ts';
import { type Limits, runGuarded } from './guard.ts';
import type { MediaTools } from './tools.ts';
import type { Container, Part, VideoFacts } from './types.ts';

/** Limits of one measurement: 90 s of several tracks take less than a second. */
const MEASURE_LIMITS: Limits = {
  addressBytes: 1536 * 1024 * 1024,
  cpuSeconds: 20,
  wallMs: 20_000,
  outputBytes: 64 * 1024,
};

/** Peak in dB below which a track is silent. 16-bit samples end at -90 dB. */
const SILENT_DB = -80;

/** Maximum bytes of an AAC packet of silence, as ffmpeg encodes it. A quiet tone takes more. */
const SILENT_PACKET = 16;

export interface MeasureOptions {
  tools: MediaTools;
  /** Only this part is decoded. null or absent: all. */
  part?: Part | null;
  limits?: Limits;
  signal?: AbortSignal;
}

/** A video that was converted. */
export interface Original {
  path: string;
  facts: VideoFacts;
  /** The part that was converted. null or absent: all. */
  part?: Part | null;
}

/** What decoding a track shows. `nothing`: not one sample could be decoded. */
export type Loudness = 'audible' | 'silent' | 'nothing';

/**
 * Decodes audio tracks in one run of ffmpeg.
 * @param positions among the audio tracks
 * @returns by position; null if it takes too long or fails
 */
export async function measureSound(
  path: string,
  container: Container,
  positions: readonly number[],
  { tools, part = null, limits = MEASURE_LIMITS, signal }: MeasureOptions,
): Promise<ReadonlyMap<number, Loudness> | null> {
  const args = measureArgs(resolve(path), container, positions, part);
  const run = await runGuarded(tools.ffmpeg, args, { ...limits, limiter: tools.limiter, signal });
  if (run.code !== 0 || run.timedOut || run.stopped) return null;
  return new Map(positions.map((position) => [position, loudnessIn(run.stderr, position)]));
}

function measureArgs(path: string, container: Container, positions: readonly number[], part: Part | null): string[] {
  const inPart = part ? ['-ss', (part.startMs / 1000).toFixed(3), '-t', (part.lengthMs / 1000).toFixed(3)] : [];
  const outputs = positions.flatMap((at) => ['-map', `0:a:${at}`, '-af', `volumedetect@${at}`, '-f', 'null', '-']);
  const report = ['-nostdin', '-hide_banner', '-nostats', '-v', 'info', '-max_error_rate', '1'];
  return [...report, ...inPart, ...inputArgs(path, container, 1), ...outputs];
}

/** Parses `[volumedetect@0 @ 0x…] max_volume: -16.1 dB`. Without samples there is no such line. */
function loudnessIn(report: string, position: number): Loudness {
  const [, peak] = new RegExp(`^\\[volumedetect@${position} [^\\]]*\\] max_volume: (\\S+) dB`, 'm').exec(report) ?? [];
  if (peak === undefined) return 'nothing';
  return Number(peak) > SILENT_DB ? 'audible' : 'silent';
}

/**
 * Returns why a converted video does not have the sound of its original; null if it does. Decodes the original only if
 * the result is silent.
 * @param made facts of the converted video
 * @throws Error if the original cannot be measured
 */
export async function soundProblem(
  { path, facts, part = null }: Original,
  made: VideoFacts,
  options: MeasureOptions,
): Promise<ReelayError | null> {
  if (!facts.hasAudio) return null;
  if (!made.hasAudio) return apiError('sound_lost');
  if (made.audioPacketBytes === undefined || made.audioPacketBytes > SILENT_PACKET) return null;
  const position = facts.soundTrack ?? 0;
  const loudness = (await measureSound(path, facts.container, [position], { ...options, part }))?.get(position);
  if (loudness === undefined) throw new Error('Measuring the sound of the original failed.');
  if (loudness === 'silent') return null;
  return apiError(loudness === 'nothing' ? 'sound_undecodable' : 'sound_lost');
}
