import { resolve } from 'node:path';
import { apiError, type ReelayError } from '../errors/reelay-error.ts';
import { probeArgs } from './commands.ts';
import { type Limits, runGuarded } from './guard.ts';
import { createPacketTally, type ProbeResult } from './packets.ts';
import { measureSound } from './sound.ts';
import type { MediaTools } from './tools.ts';
import { soundCandidates } from './tracks.ts';
import type { Container } from './types.ts';

/** Limits of one probe. The largest legitimate file needs a tenth of them. */
export const PROBE_LIMITS: Limits = {
  addressBytes: 1536 * 1024 * 1024,
  cpuSeconds: 20,
  wallMs: 20_000,
  outputBytes: 128 * 1024 * 1024,
};

export interface ProbeOptions {
  tools: MediaTools;
  limits?: Limits;
  /** As in {@link createPacketTally}. */
  mostPackets?: number;
  signal?: AbortSignal;
}

/**
 * Demuxes the whole file in a guarded ffprobe with almost no decoding. Only audio is decoded, by a second program, if
 * there are several tracks to choose from.
 * @returns what the packets show, or an error when the file cannot be read within the limits
 */
export async function probe(
  path: string,
  container: Container,
  options: ProbeOptions,
): Promise<ProbeResult | ReelayError> {
  const tally = createPacketTally(options.mostPackets);
  const run = await runGuarded(options.tools.ffprobe, probeArgs(resolve(path), container), {
    ...(options.limits ?? PROBE_LIMITS),
    limiter: options.tools.limiter,
    signal: options.signal,
    onLine: tally.take,
  });
  const result = tally.result(run.stderr);
  if (result.tooManyPackets) return result;
  if (run.timedOut) return apiError('file_read_timed_out');
  if (run.code !== 0 || run.stopped) return apiError('file_damaged');
  return await withoutSilence(path, container, result, options);
}

/** Maximum number of audio tracks that are decoded. */
const MAX_MEASURED = 8;

/** Marks the silent ones among several audio tracks. */
async function withoutSilence(
  path: string,
  container: Container,
  result: ProbeResult,
  { tools, signal }: ProbeOptions,
): Promise<ProbeResult> {
  const candidates = soundCandidates(result.streams).slice(0, MAX_MEASURED);
  if (candidates.length < 2) return result;
  const positions = candidates.map(({ position }) => position);
  const loudness = await measureSound(path, container, positions, { tools, signal });
  if (loudness === null) return result;
  const silent = new Set(
    candidates.filter(({ position }) => loudness.get(position) !== 'audible').map(({ stream }) => stream.index),
  );
  const streams = result.streams.map((stream) => (silent.has(stream.index) ? { ...stream, silent: true } : stream));
  return { ...result, streams };
}
