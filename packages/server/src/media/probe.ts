import { resolve } from 'node:path';
import { apiError, type ReelayError } from '../errors.ts';
import { probeArgs } from './commands.ts';
import { type Limits, runGuarded } from './guard.ts';
import { createPacketTally, type ProbeResult } from './packets.ts';
import type { MediaTools } from './tools.ts';
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
 * Demuxes the whole file in a guarded ffprobe with almost no decoding.
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
  return result;
}
