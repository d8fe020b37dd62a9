/**
 * What must become of a video before a platform takes it. Nothing is decided here twice: a rendition is proposed, its
 * outcome foretold, and the outcome is held against the same limits as the video itself.
 */
import type { VideoFacts } from '../types.ts';
import { type Finding, findMisfits, SECONDS_SLACK } from './findings.ts';
import { framesFor, isWatchable, RATES, rateFor } from './ladder.ts';
import type { VideoLimits } from './limits.ts';
import { foretell, mostBytes, type RenditionSpec } from './spec.ts';

export type { RenditionSpec } from './spec.ts';

/** `why` has a sentence for everything that does not fit; where nothing can be made, for what cannot be mended. */
export type Plan =
  | { fits: true }
  | { fits: false; spec: RenditionSpec; why: readonly string[] }
  | { fits: false; spec: null; why: readonly string[] };

/** What must become of this video so that these limits take it: nothing, a rendition, or no way. Pure. */
export function planRendition(limits: VideoLimits, facts: VideoFacts): Plan {
  const misfits = findMisfits(limits, facts);
  if (misfits.length === 0) return { fits: true };
  const stubborn = new Set(misfits.map(({ rule }) => rule));
  for (const spec of proposals(limits, facts)) {
    const left = foretell(spec, facts).flatMap((made) => findMisfits(limits, made));
    if (left.length === 0 && isWatchable(spec)) return { fits: false, spec, why: sentences(misfits) };
    for (const rule of stubborn) if (!left.some((finding) => finding.rule === rule)) stubborn.delete(rule);
  }
  const final = misfits.filter(({ rule }) => stubborn.has(rule));
  return { fits: false, spec: null, why: sentences(final.length > 0 ? final : misfits) };
}

/** Text that is the same for equal needs: whoever needs the same takes the same file. */
export function specKey({ container, video, audio, seconds }: RenditionSpec): string {
  const picture = video === 'copy' ? video : `${video.width}x${video.height}@${video.fps}/${video.maxRate}`;
  return [container, picture, audio, ...(seconds === undefined ? [] : [`${seconds}s`])].join('/');
}

function sentences(findings: readonly Finding[]): string[] {
  return findings.map(({ why }) => why);
}

/** Streams that MP4 holds, and containers whose times can be taken over as they are. */
const COPIED_VIDEO = new Set(['h264', 'hevc']);
const COPIED_AUDIO = new Set(['aac']);
const COPIED_CONTAINERS = new Set(['mp4', 'mov', '3gp', 'matroska', 'mpegts', 'flv']);

/** The cheapest first: another container, other sound, another picture, of which the largest first. */
function* proposals(limits: VideoLimits, facts: VideoFacts): Generator<RenditionSpec> {
  const missing: RenditionSpec['audio'] = limits.needsAudio ? 'silence' : 'none';
  if (COPIED_VIDEO.has(facts.videoCodec) && COPIED_CONTAINERS.has(facts.container)) {
    if (!facts.hasAudio) yield { container: 'mp4', video: 'copy', audio: missing };
    else {
      if (COPIED_AUDIO.has(facts.audioCodec ?? '')) yield { container: 'mp4', video: 'copy', audio: 'copy' };
      yield { container: 'mp4', video: 'copy', audio: 'aac' };
    }
  }
  const fps = rateFor(limits, facts);
  if (fps === null) return;
  const rest = { audio: facts.hasAudio ? ('aac' as const) : missing, ...lengthWithin(limits, facts) };
  for (const frame of framesFor(limits, facts))
    for (const maxRate of RATES) yield { container: 'mp4', video: { ...frame, fps, maxRate }, ...rest };
}

/** The most that the service itself takes, in seconds. */
const LONGEST = 90;

/**
 * A last picture may reach beyond the end, so a length that is forgiven, or nearly so, is made a little shorter; one that is
 * forgiven at the lower end becomes what is asked for.
 */
function lengthWithin({ minSeconds = 0, maxSeconds = LONGEST }: VideoLimits, facts: VideoFacts): { seconds?: number } {
  const own = facts.durationMs / 1000;
  const most = Math.min(maxSeconds, LONGEST);
  if (own > most - SECONDS_SLACK && own <= most + SECONDS_SLACK) return { seconds: most - SECONDS_SLACK };
  if (own < minSeconds && own >= minSeconds - SECONDS_SLACK) return { seconds: minSeconds };
  return {};
}

/** A copy encoded, at the video's own size and rate and within the same bytes if that can be; null: it is none, or cannot be. */
export function encodedInstead(spec: RenditionSpec, facts: VideoFacts): RenditionSpec | null {
  const fps = rateFor({}, facts);
  if (spec.video !== 'copy' || fps === null) return null;
  const [frame] = framesFor(ANY, facts);
  const audio = spec.audio === 'copy' ? 'aac' : spec.audio;
  const room = mostBytes(spec, facts);
  const instead = RATES.map((maxRate): RenditionSpec => ({ ...spec, video: { ...frame, fps, maxRate }, audio }));
  return instead.find((each) => mostBytes(each, facts) <= room) ?? instead.at(-1) ?? null;
}

const ANY: VideoLimits = { maxBytes: Number.POSITIVE_INFINITY, containers: [] };
