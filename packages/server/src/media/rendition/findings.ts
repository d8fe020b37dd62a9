/** Compares a video with a platform's limits, rule by rule. Pure. */
import type { VideoFacts } from '../types.ts';
import type { VideoLimits } from './limits.ts';

/** Tolerances: durations in seconds, frame rates in frames per second, aspect ratios as a fraction. */
export const SECONDS_SLACK = 0.05;
export const FPS_SLACK = 0.5;
const ASPECT_SLACK = 0.01 + 1e-9;

/** One violated limit. */
export interface Finding {
  /** The limit it is about. */
  rule: keyof VideoLimits;
  /** A sentence with the limit in it. */
  why: string;
}

type Rule = (limits: VideoLimits, video: VideoFacts) => string | false | undefined;

const RULES: Readonly<Record<keyof VideoLimits, Rule>> = {
  maxBytes: ({ maxBytes }, { bytes }) =>
    bytes > maxBytes && `The video has ${group(bytes)} bytes; at most ${group(maxBytes)} are allowed.`,
  minBytes: ({ minBytes }, { bytes }) =>
    under(bytes, minBytes) && `The video has ${group(bytes)} bytes; at least ${group(minBytes)} are needed.`,
  minSeconds: ({ minSeconds }, { durationMs }) =>
    under(durationMs / 1000, minSeconds, SECONDS_SLACK) &&
    `The video lasts ${seconds(durationMs)} s; at least ${minSeconds} s are needed.`,
  maxSeconds: ({ maxSeconds }, { durationMs }) =>
    over(durationMs / 1000, maxSeconds, SECONDS_SLACK) &&
    `The video lasts ${seconds(durationMs)} s; at most ${maxSeconds} s are allowed.`,
  containers: ({ containers }, { container }) =>
    outside(container, containers) && `The file is ${container}; allowed are ${containers.join(', ')}.`,
  videoCodecs: ({ videoCodecs }, { videoCodec }) =>
    outside(videoCodec, videoCodecs) && `The video is ${videoCodec}; allowed are ${videoCodecs?.join(', ')}.`,
  pixelFormats: ({ pixelFormats }, { pixelFormat }) =>
    outside(pixelFormat, pixelFormats) &&
    `The pictures are stored as ${pixelFormat}; allowed are ${pixelFormats?.join(', ')}.`,
  audioCodecs: ({ audioCodecs }, { audioCodec }) =>
    audioCodec !== null &&
    outside(audioCodec, audioCodecs) &&
    `The sound is ${audioCodec}; allowed are ${audioCodecs?.join(', ')}.`,
  audioProfiles: ({ audioProfiles }, { audioProfile }) =>
    outside(audioProfile, audioProfiles) &&
    `The sound has the profile ${audioProfile}; allowed are ${audioProfiles?.join(', ')}.`,
  maxAudioChannels: ({ maxAudioChannels }, { audioChannels }) =>
    over(audioChannels, maxAudioChannels) &&
    `The sound has ${audioChannels} channels; at most ${maxAudioChannels} are allowed.`,
  maxAudioRate: ({ maxAudioRate }, { audioRate }) =>
    over(audioRate, maxAudioRate) &&
    `The sound has ${group(audioRate)} samples a second; at most ${group(maxAudioRate)} are allowed.`,
  needsAudio: ({ needsAudio }, { hasAudio }) => needsAudio && !hasAudio && 'The video has no sound; it needs some.',
  maxFps: ({ maxFps }, { fps }) =>
    over(fps, maxFps, FPS_SLACK) && `The video has ${fps} pictures a second; at most ${maxFps} are allowed.`,
  minFps: ({ minFps }, { fps }) =>
    under(fps, minFps, FPS_SLACK) && `The video has ${fps} pictures a second; at least ${minFps} are needed.`,
  maxFrames: ({ maxFrames }, { fps, durationMs }) =>
    over(Math.round((fps * durationMs) / 1000), maxFrames) &&
    `The video has more than ${group(maxFrames)} pictures, the most that are allowed.`,
  steadyRate: ({ steadyRate }, { unsteady }) =>
    steadyRate && unsteady && 'The pictures of the video do not follow each other at one rate.',
  progressive: ({ progressive }, { interlaced }) =>
    progressive && interlaced && 'The video is interlaced; only whole pictures are allowed.',
  minWidth: ({ minWidth }, video) =>
    under(video.width, minWidth) && `The video is ${size(video)}; at least ${minWidth} pixels of width are needed.`,
  maxWidth: ({ maxWidth }, video) =>
    over(video.width, maxWidth) && `The video is ${size(video)}; at most ${maxWidth} pixels of width are allowed.`,
  minHeight: ({ minHeight }, video) =>
    under(video.height, minHeight) && `The video is ${size(video)}; at least ${minHeight} pixels of height are needed.`,
  maxHeight: ({ maxHeight }, video) =>
    over(video.height, maxHeight) && `The video is ${size(video)}; at most ${maxHeight} pixels of height are allowed.`,
  minSide: ({ minSide }, video) =>
    under(Math.min(video.width, video.height), minSide) &&
    `The video is ${size(video)}; each side needs at least ${minSide} pixels.`,
  maxSide: ({ maxSide }, video) =>
    over(Math.max(video.width, video.height), maxSide) &&
    `The video is ${size(video)}; each side may have at most ${maxSide} pixels.`,
  maxPixels: ({ maxPixels }, video) =>
    over(video.width * video.height, maxPixels) &&
    `The video has ${size(video)} pixels; at most ${group(maxPixels)} in all are allowed.`,
  minAspect: ({ minAspect }, video) =>
    under(aspect(video), minAspect, (minAspect ?? 0) * ASPECT_SLACK) &&
    `The video is ${size(video)}; its width must be at least ${ratio(minAspect)} of its height.`,
  maxAspect: ({ maxAspect }, video) =>
    over(aspect(video), maxAspect, (maxAspect ?? 0) * ASPECT_SLACK) &&
    `The video is ${size(video)}; its width may be at most ${ratio(maxAspect)} of its height.`,
  squarePixels: ({ squarePixels }, video) =>
    squarePixels && isStretched(video) && 'The pixels of the video are not square.',
  maxBitrate: ({ maxBitrate }, { videoBitrate }) =>
    over(videoBitrate, maxBitrate) &&
    `The picture takes ${group(videoBitrate)} bits a second; at most ${group(maxBitrate)} are allowed.`,
  indexFirst: ({ indexFirst }, video) =>
    indexFirst && video.indexFirst === false && 'The index of the file stands after its data; it must come first.',
};

// Computed once: a plan evaluates the rules hundreds of times before it gives up.
const IN_ORDER = Object.entries(RULES) as [keyof VideoLimits, Rule][];
const GROUPED = new Intl.NumberFormat('en-US');

/** Returns all violated limits in a fixed order; empty if the video fits. */
export function findMisfits(limits: VideoLimits, video: VideoFacts): Finding[] {
  const found: Finding[] = [];
  for (const [rule, judge] of IN_ORDER) {
    const why = judge(limits, video);
    if (why) found.push({ rule, why });
  }
  return found;
}

function over(value: number | undefined, most: number | undefined, slack = 0): boolean {
  return value !== undefined && most !== undefined && value > most + slack;
}

function under(value: number | undefined, least: number | undefined, slack = 0): boolean {
  return value !== undefined && least !== undefined && value < least - slack;
}

function outside(value: string | undefined, allowed: readonly string[] | undefined): boolean {
  return value !== undefined && allowed !== undefined && !allowed.includes(value);
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
const ratio = (part: number | undefined) => String(Math.round((part ?? 0) * 1000) / 1000);

function group(value: number | undefined): string {
  return GROUPED.format(value ?? 0);
}
