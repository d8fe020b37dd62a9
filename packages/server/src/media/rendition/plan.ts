/**
 * Plans the rendition of a video for a platform's limits. Each proposal's result is predicted and checked against the
 * same limits as the original, so no limit is implemented twice.
 */
import { limitMessage, say } from '../../messages/media.ts';
import type { Message } from '../../messages/message.ts';
import type { VideoFacts } from '../types.ts';
import { type Finding, findMisfits, SECONDS_SLACK } from './findings.ts';
import { framesFor, isWatchable, RATES, rateFor } from './ladder.ts';
import type { VideoLimits } from './limits.ts';
import { mostBytes, predictFacts, type RenditionSpec } from './spec.ts';

export type { RenditionSpec } from './spec.ts';

/**
 * Result of planning. `why` has a sentence for each violated limit; if no rendition is possible, for those that
 * conversion cannot fix.
 */
export type Plan =
  | { fits: true }
  | { fits: false; spec: RenditionSpec; why: Message }
  | { fits: false; spec: null; why: Message };

/** Plans what this video needs to meet the limits: nothing, a rendition, or that it is impossible. Pure. */
export function planRendition(limits: VideoLimits, facts: VideoFacts): Plan {
  const misfits = findMisfits(limits, facts);
  if (misfits.length === 0) return { fits: true };
  const stubborn = new Set(misfits.map(({ rule }) => rule));
  for (const spec of proposals(limits, facts)) {
    const left = predictFacts(spec, facts).flatMap((made) => findMisfits(limits, made));
    if (left.length === 0 && isWatchable(spec)) return { fits: false, spec, why: sentences(misfits) };
    for (const rule of stubborn) if (!left.some((finding) => finding.rule === rule)) stubborn.delete(rule);
  }
  const final = misfits.filter(({ rule }) => stubborn.has(rule));
  return { fits: false, spec: null, why: sentences(final.length > 0 ? final : misfits) };
}

/** Cache key of a spec: equal specs share one file. */
export function specKey({ container, video, audio, seconds }: RenditionSpec): string {
  const picture = video === 'copy' ? video : `${video.width}x${video.height}@${video.fps}/${video.maxRate}`;
  return [container, picture, audio, ...(seconds === undefined ? [] : [`${seconds}s`])].join('/');
}

function sentences(findings: readonly Finding[]): Message {
  return say('limits', { reasons: findings.map(({ rule, params }) => limitMessage(rule, params)) });
}

/** Streams that MP4 supports, and containers whose timestamps can be copied. */
const COPIED_VIDEO = new Set(['h264', 'hevc']);
const COPIED_AUDIO = new Set(['aac']);
const COPIED_CONTAINERS = new Set(['mp4', 'mov', '3gp', 'matroska', 'mpegts', 'flv']);

/** Encoders add up to this much audio before the first sample and hide it (priming), in ms. */
const PRIMING_MS = 150;

/** A copy also keeps what an edit list hides, such as the part that was cut off. Then the video is encoded. */
function canCopyVideo({ videoCodec, container, hiddenFrames = 0 }: VideoFacts): boolean {
  return COPIED_VIDEO.has(videoCodec) && COPIED_CONTAINERS.has(container) && hiddenFrames === 0;
}

/** Proposals, cheapest first: another container, other audio, re-encoded video from the largest size down. */
function* proposals(limits: VideoLimits, facts: VideoFacts): Generator<RenditionSpec> {
  const missing: RenditionSpec['audio'] = limits.needsAudio ? 'silence' : 'none';
  if (canCopyVideo(facts)) {
    if (!facts.hasAudio) yield { container: 'mp4', video: 'copy', audio: missing };
    else {
      if (COPIED_AUDIO.has(facts.audioCodec ?? '') && (facts.hiddenAudioMs ?? 0) <= PRIMING_MS)
        yield { container: 'mp4', video: 'copy', audio: 'copy' };
      yield { container: 'mp4', video: 'copy', audio: 'aac' };
    }
  }
  const fps = rateFor(limits, facts);
  if (fps === null) return;
  const rest = { audio: facts.hasAudio ? ('aac' as const) : missing, ...lengthWithin(limits, facts) };
  for (const frame of framesFor(limits, facts))
    for (const maxRate of RATES) yield { container: 'mp4', video: { ...frame, fps, maxRate }, ...rest };
}

/** Maximum length that the service accepts, in seconds. */
const MAX_DURATION = 90;

/**
 * The last frame may extend beyond the end. So a length at the upper tolerance is shortened slightly, and one at the
 * lower tolerance is extended to the minimum.
 */
function lengthWithin(
  { minSeconds = 0, maxSeconds = MAX_DURATION }: VideoLimits,
  facts: VideoFacts,
): { seconds?: number } {
  const own = facts.durationMs / 1000;
  const most = Math.min(maxSeconds, MAX_DURATION);
  if (own > most - SECONDS_SLACK && own <= most + SECONDS_SLACK) return { seconds: most - SECONDS_SLACK };
  if (own < minSeconds && own >= minSeconds - SECONDS_SLACK) return { seconds: minSeconds };
  return {};
}

/**
 * The re-encoded alternative to a stream copy, at the video's own size and frame rate, and if possible in as few bytes.
 * @returns null if the spec is no copy or cannot be encoded
 */
export function encodedInstead(spec: RenditionSpec, facts: VideoFacts): RenditionSpec | null {
  const fps = rateFor({}, facts);
  if (spec.video !== 'copy' || fps === null) return null;
  const [frame] = framesFor(ANY, facts);
  const audio = spec.audio === 'copy' ? 'aac' : spec.audio;
  const room = mostBytes(spec, facts);
  const instead = RATES.map((maxRate): RenditionSpec => ({ ...spec, video: { ...frame, fps, maxRate }, audio }));
  return instead.find((each) => mostBytes(each, facts) <= room) ?? instead.at(-1) ?? null;
}

/** Most pixels of a preview, with room for rounding, frames per second, and bits per second. */
const PREVIEW = { pixels: 360 * 640 * 1.02, maxFps: 30, maxRate: 1_000_000 } as const;

/** The small version for players of the dashboard: H.264 and AAC in the video's own shape. */
export function previewSpec(facts: VideoFacts): RenditionSpec {
  const frames = framesFor(ANY, facts);
  const frame = frames.find(({ width, height }) => width * height <= PREVIEW.pixels) ?? frames[0];
  const fps = rateFor({ maxFps: PREVIEW.maxFps }, facts) ?? PREVIEW.maxFps;
  return {
    container: 'mp4',
    video: { ...frame, fps, maxRate: PREVIEW.maxRate },
    audio: facts.hasAudio ? 'aac' : 'none',
  };
}

const ANY: VideoLimits = { maxBytes: Number.POSITIVE_INFINITY, containers: [] };
