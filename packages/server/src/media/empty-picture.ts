/** Finds conversions that lost their picture. */
import { resolve } from 'node:path';
import { apiError, type ReelayError } from '../errors/reelay-error.ts';
import { inputArgs, mapFilm, QUIET } from './commands.ts';
import { type Limits, runGuarded } from './guard.ts';
import type { Original } from './sound.ts';
import type { MediaTools } from './tools.ts';
import type { VideoFacts } from './types.ts';

/** Limits of one measurement: a few frames late in long 4K groups of pictures. */
const MEASURE_LIMITS: Limits = {
  addressBytes: 2 * 1024 * 1024 * 1024,
  cpuSeconds: 60,
  wallMs: 60_000,
  outputBytes: 64 * 1024,
};

/** Bits per second above which a video shows something. A plain color takes about a third of it at 60 frames a second. */
const EMPTY_BITRATE = 100_000;

/** Where frames are compared, as parts of the length. */
const PLACES = [0.02, 0.25, 0.5, 0.75, 0.95];

/** Range of the brightness (0 to 255) in a frame that is a plain color, and in one that shows something. */
const PLAIN = 10;
const RICH = 48;

/** The middle of a frame: an eighth, and a half of its width with a quarter of its height. */
const INNER = 'crop=iw/8:ih/8';
const OUTER = 'crop=iw/2:ih/4';

interface MeasureOptions {
  tools: MediaTools;
  signal?: AbortSignal;
}

/**
 * Returns that a converted video shows a plain color where the original shows something; null if it does not, or if the
 * frames cannot be measured. Decodes frames only if the bit rate of the result is that of a plain color.
 *
 * Of the original, a smaller part is compared: whether the result is cropped or has bars, it shows at least that part.
 */
export async function pictureProblem(
  original: Original,
  made: { path: string; facts: VideoFacts },
  options: MeasureOptions,
): Promise<ReelayError | null> {
  const { videoBitrate = EMPTY_BITRATE } = made.facts;
  if (videoBitrate >= EMPTY_BITRATE) return null;
  const startMs = original.part?.startMs ?? 0;
  const lengthMs = Math.min(original.facts.lastFrameMs - startMs, made.facts.lastFrameMs);
  const times = PLACES.map((place) => (place * lengthMs) / 1000);
  const after = await brightnessRanges(made, times, OUTER, options);
  if (after.length < times.length || after.some((range) => range > PLAIN)) return null;
  const before = await brightnessRanges(
    original,
    times.map((time) => time + startMs / 1000),
    INNER,
    options,
  );
  return before.filter((range) => range >= RICH).length >= 2 ? apiError('picture_lost') : null;
}

/** The ranges of the brightness in the frames at these times (s), in any order; fewer if some cannot be decoded. */
async function brightnessRanges(
  { path, facts }: { path: string; facts: VideoFacts },
  times: readonly number[],
  part: string,
  { tools, signal }: MeasureOptions,
): Promise<number[]> {
  const filter = `${part},scale=32:32:flags=area,format=yuv420p,signalstats,metadata=print:file=-`;
  const inputs = times.flatMap((time) => [
    '-ss',
    (time + (facts.offsetMs ?? 0) / 1000).toFixed(3),
    ...inputArgs(resolve(path), facts.container, 1),
  ]);
  const outputs = times.flatMap((_, at) => [
    ...mapFilm(facts, at),
    ...['-frames:v', '1', '-filter_threads', '1', '-vf', filter, '-f', 'null', '-'],
  ]);
  const found = { lowest: [] as number[], highest: [] as number[] };
  await runGuarded(tools.ffmpeg, [...QUIET, ...inputs, ...outputs], {
    ...MEASURE_LIMITS,
    limiter: tools.limiter,
    signal,
    onLine(line) {
      const [, which, value] = /^lavfi\.signalstats\.Y(MIN|MAX)=(\d+)/.exec(line) ?? [];
      if (which) found[which === 'MIN' ? 'lowest' : 'highest'].push(Number(value));
      return true;
    },
  });
  return found.highest.map((highest, at) => highest - (found.lowest[at] ?? highest));
}
