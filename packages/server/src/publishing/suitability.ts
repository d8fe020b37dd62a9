/** Whether a platform can take a video and a caption, told before its first call. */
import type { Capabilities, Choice } from '../connectors/contract.ts';
import { captionLength } from '../connectors/kit/captions.ts';
import type { VideoFacts } from '../media/types.ts';

/** Why this video cannot go there, as a sentence with the limit in it; null where it can. */
export function videoProblem(capabilities: Capabilities, video: VideoFacts): string | null {
  const limits = capabilities.video;
  const seconds = video.durationMs / 1000;
  const short = Math.min(video.width, video.height);
  const long = Math.max(video.width, video.height);
  if (video.bytes > limits.maxBytes)
    return `The video has ${group(video.bytes)} bytes; at most ${group(limits.maxBytes)} are allowed.`;
  if (!limits.containers.includes(video.container))
    return `The file is ${video.container}; allowed are ${limits.containers.join(', ')}.`;
  if (limits.minSeconds !== undefined && seconds < limits.minSeconds - 0.05)
    return `The video lasts ${seconds.toFixed(1)} s; at least ${limits.minSeconds} s are needed.`;
  if (limits.maxSeconds !== undefined && seconds > limits.maxSeconds + 0.05)
    return `The video lasts ${seconds.toFixed(1)} s; at most ${limits.maxSeconds} s are allowed.`;
  if (limits.videoCodecs && !limits.videoCodecs.includes(video.videoCodec))
    return `The video is ${video.videoCodec}; allowed are ${limits.videoCodecs.join(', ')}.`;
  if (limits.audioCodecs && video.audioCodec && !limits.audioCodecs.includes(video.audioCodec))
    return `The sound is ${video.audioCodec}; allowed are ${limits.audioCodecs.join(', ')}.`;
  if (limits.maxFps !== undefined && video.fps > limits.maxFps + 0.5)
    return `The video has ${video.fps} pictures a second; at most ${limits.maxFps} are allowed.`;
  if (limits.minFps !== undefined && video.fps < limits.minFps - 0.5)
    return `The video has ${video.fps} pictures a second; at least ${limits.minFps} are needed.`;
  if (limits.maxPixels !== undefined && video.width * video.height > limits.maxPixels)
    return `The video has ${video.width}×${video.height} pixels; at most ${group(limits.maxPixels)} in all are allowed.`;
  if (limits.minSide !== undefined && short < limits.minSide)
    return `The video is ${video.width}×${video.height}; each side needs at least ${limits.minSide} pixels.`;
  if (limits.maxSide !== undefined && long > limits.maxSide)
    return `The video is ${video.width}×${video.height}; each side may have at most ${limits.maxSide} pixels.`;
  return null;
}

/** Why this caption cannot go there, as a sentence with the limit in it; null where it can. */
export function captionProblem(capabilities: Capabilities, text: string): string | null {
  const limit = capabilities.caption;
  const length = captionLength(text, limit);
  if (length > limit.maxLength)
    return `The text has ${group(length)} characters; at most ${group(limit.maxLength)} are allowed.`;
  const bytes = Buffer.byteLength(text);
  if (limit.maxBytes !== undefined && bytes > limit.maxBytes)
    return `The text has ${group(bytes)} bytes; at most ${group(limit.maxBytes)} are allowed.`;
  return null;
}

/** The first choice that the account's owner still has to make, or null. */
export function missingChoice(choices: readonly Choice[], made: Record<string, string>): Choice | null {
  return choices.find((choice) => choice.required && !made[choice.name]) ?? null;
}

function group(value: number): string {
  return value.toLocaleString('en-US');
}
