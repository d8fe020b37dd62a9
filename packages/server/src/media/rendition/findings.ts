/** Compares a video with a platform's limits, rule by rule. Pure. */
import type { MessageParams } from '../../messages/message.ts';
import type { VideoFacts } from '../types.ts';
import { PLAYABLE_H264, type VideoLimits } from './limits.ts';

/** Tolerances: durations in seconds, frame rates in frames per second, aspect ratios as a fraction. */
export const SECONDS_SLACK = 0.05;
export const FPS_SLACK = 0.5;
const ASPECT_SLACK = 0.01 + 1e-9;

/** One violated limit. */
export interface Finding {
  /** The limit it is about. */
  rule: keyof VideoLimits;
  /** Parameters of its message. */
  params: MessageParams;
}

/** Returns the parameters of the message if the limit is violated. */
type Rule = (limits: VideoLimits, video: VideoFacts) => MessageParams | false | undefined;

const RULES: Readonly<Record<keyof VideoLimits, Rule>> = {
  maxBytes: ({ maxBytes }, { bytes }) => bytes > maxBytes && { value: bytes, limit: maxBytes },
  minBytes: ({ minBytes = 0 }, { bytes }) => under(bytes, minBytes) && { value: bytes, limit: minBytes },
  minSeconds: ({ minSeconds = 0 }, { durationMs }) =>
    under(durationMs / 1000, minSeconds, SECONDS_SLACK) && { value: seconds(durationMs), limit: minSeconds },
  maxSeconds: ({ maxSeconds = Infinity }, { durationMs }) =>
    over(durationMs / 1000, maxSeconds, SECONDS_SLACK) && { value: seconds(durationMs), limit: maxSeconds },
  containers: ({ containers }, { container }) => outside(container, containers),
  videoCodecs: ({ videoCodecs }, { videoCodec }) => outside(videoCodec, videoCodecs),
  pixelFormats: ({ pixelFormats }, { pixelFormat }) => outside(pixelFormat, pixelFormats),
  h264Formats: ({ pixelFormats, h264Formats = PLAYABLE_H264 }, { videoCodec, pixelFormat }) =>
    videoCodec === 'h264' && !outside(pixelFormat, pixelFormats) && outside(pixelFormat, h264Formats),
  audioCodecs: ({ audioCodecs }, { audioCodec }) => audioCodec !== null && outside(audioCodec, audioCodecs),
  audioProfiles: ({ audioProfiles }, { audioProfile }) => outside(audioProfile, audioProfiles),
  maxAudioChannels: ({ maxAudioChannels }, { audioChannels }) => above(audioChannels, maxAudioChannels),
  maxAudioRate: ({ maxAudioRate }, { audioRate }) => above(audioRate, maxAudioRate),
  needsAudio: ({ needsAudio }, { hasAudio }) => needsAudio && !hasAudio && {},
  maxFps: ({ maxFps }, { fps }) => above(fps, maxFps, FPS_SLACK),
  minFps: ({ minFps = 0 }, { fps }) => under(fps, minFps, FPS_SLACK) && { value: fps, limit: minFps },
  maxFrames: ({ maxFrames }, { fps, durationMs }) => above(Math.round((fps * durationMs) / 1000), maxFrames),
  steadyRate: ({ steadyRate }, { unsteady }) => steadyRate && unsteady && {},
  progressive: ({ progressive }, { interlaced }) => progressive && interlaced && {},
  minWidth: ({ minWidth = 0 }, video) => under(video.width, minWidth) && { size: size(video), limit: minWidth },
  maxWidth: ({ maxWidth = Infinity }, video) => over(video.width, maxWidth) && { size: size(video), limit: maxWidth },
  minHeight: ({ minHeight = 0 }, video) => under(video.height, minHeight) && { size: size(video), limit: minHeight },
  maxHeight: ({ maxHeight = Infinity }, video) =>
    over(video.height, maxHeight) && { size: size(video), limit: maxHeight },
  minSide: ({ minSide = 0 }, video) =>
    under(Math.min(video.width, video.height), minSide) && { size: size(video), limit: minSide },
  maxSide: ({ maxSide = Infinity }, video) =>
    over(Math.max(video.width, video.height), maxSide) && { size: size(video), limit: maxSide },
  maxPixels: ({ maxPixels = Infinity }, video) =>
    over(video.width * video.height, maxPixels) && { size: size(video), limit: maxPixels },
  minAspect: ({ minAspect = 0 }, video) =>
    under(aspect(video), minAspect, minAspect * ASPECT_SLACK) && { size: size(video), limit: minAspect },
  maxAspect: ({ maxAspect = Infinity }, video) =>
    over(aspect(video), maxAspect, maxAspect * ASPECT_SLACK) && { size: size(video), limit: maxAspect },
  squarePixels: ({ squarePixels }, video) => squarePixels && isStretched(video) && {},
  maxBitrate: ({ maxBitrate }, { videoBitrate }) => above(videoBitrate, maxBitrate),
  indexFirst: ({ indexFirst }, video) => indexFirst && video.indexFirst === false && {},
  noHiddenFrames: ({ noHiddenFrames }, { hiddenFrames = 0 }) =>
    noHiddenFrames && hiddenFrames > 0 && { value: hiddenFrames },
  closedGops: ({ closedGops }, { videoCodec, leadingFrames }) =>
    closedGops && videoCodec === 'h264' && leadingFrames && {},
  maxKeySeconds: ({ maxKeySeconds = Infinity }, { keyFrameMs = 0 }) =>
    over(keyFrameMs / 1000, maxKeySeconds, SECONDS_SLACK) && { value: seconds(keyFrameMs), limit: maxKeySeconds },
  firstTracks: ({ firstTracks = true }, { filmTrack = 0, soundTrack = 0 }) =>
    firstTracks && filmTrack + soundTrack > 0 && {},
  ownLength: ({ ownLength = true }, { statedMs, durationMs }) =>
    ownLength && statedMs !== undefined && { value: seconds(statedMs), limit: seconds(durationMs) },
};

// Computed once: a plan evaluates the rules hundreds of times before it gives up.
const IN_ORDER = Object.entries(RULES) as [keyof VideoLimits, Rule][];

/** Returns all violated limits in a fixed order; empty if the video fits. */
export function findMisfits(limits: VideoLimits, video: VideoFacts): Finding[] {
  const found: Finding[] = [];
  for (const [rule, judge] of IN_ORDER) {
    const params = judge(limits, video);
    if (params) found.push({ rule, params });
  }
  return found;
}

function over(value: number, limit: number, slack = 0): boolean {
  return value > limit + slack;
}

function under(value: number, limit: number, slack = 0): boolean {
  return value < limit - slack;
}

function above(value: number | undefined, limit: number | undefined, slack = 0): MessageParams | false {
  return value !== undefined && limit !== undefined && value > limit + slack && { value, limit };
}

function outside(value: string | undefined, allowed: readonly string[] | undefined): MessageParams | false {
  return (
    value !== undefined && allowed !== undefined && !allowed.includes(value) && { value, allowed: allowed.join(', ') }
  );
}

/** Returns whether the pixels are not square, by more than rounding. */
function isStretched({ width, height, codedWidth, codedHeight, rotation }: VideoFacts): boolean {
  const turned = rotation === 90 || rotation === 270;
  const [across, down] = turned ? [codedHeight, codedWidth] : [codedWidth, codedHeight];
  return Math.abs(width - across) > 1 || Math.abs(height - down) > 1;
}

const aspect = ({ width, height }: VideoFacts) => width / height;
const size = ({ width, height }: VideoFacts) => `${width}×${height}`;
const seconds = (ms: number) => (ms / 1000).toFixed(1);
