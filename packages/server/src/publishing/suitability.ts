/** Whether a platform can take a video and a caption, told before its first call. */
import type { Capabilities, Choice, Connector, JsonObject } from '../connectors/contract.ts';
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

/** The same with what the post asks of the platform alone, which may make the text longer. */
export function captionProblemWith(
  connector: Pick<Connector, 'countedText'> | undefined,
  capabilities: Capabilities,
  { text, options }: { text: string; options: JsonObject },
): string | null {
  return captionProblem(capabilities, connector?.countedText?.(text, options) ?? text);
}

/**
 * The first choice that the account's owner still has to make, or null.
 * @param options of the post: an option with the name of a choice makes it, for this post
 */
export function missingChoice(
  choices: readonly Choice[],
  made: Record<string, string>,
  options: JsonObject = {},
): Choice | null {
  return choices.find(({ name, required }) => required && !made[name] && typeof options[name] !== 'string') ?? null;
}

/** The choice that a post makes in a way which this account is not allowed, or null. @param allowed by name of the choice */
export function refusedChoice(
  choices: readonly Choice[],
  allowed: Readonly<Record<string, readonly string[]>>,
  options: JsonObject,
): { choice: Choice; allowed: readonly string[] } | null {
  for (const choice of choices) {
    const values = allowed[choice.name];
    // What an account has of its own (a board made today) may be newer than what we know of it; its platform decides.
    const known = choice.values.some(({ value }) => value === options[choice.name]);
    if (values && known && !values.includes(String(options[choice.name]))) return { choice, allowed: values };
  }
  return null;
}

function group(value: number): string {
  return value.toLocaleString('en-US');
}
