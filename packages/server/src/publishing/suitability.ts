/** Whether a platform can take a video and a caption, told before its first call. */
import type { Capabilities, Choice, ChoiceValue, Connector, JsonObject } from '../connectors/contract.ts';
import { captionLength } from '../connectors/kit/captions.ts';
import { planRendition } from '../media/rendition/plan.ts';
import type { VideoFacts } from '../media/types.ts';

/** Why this video cannot go there as it is, in sentences with the limits in them; null where it can. */
export function videoProblem(capabilities: Pick<Capabilities, 'video'>, video: VideoFacts): string | null {
  const plan = planRendition(capabilities.video, video);
  return plan.fits ? null : plan.why.join(' ');
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

/** By how many characters, or else bytes, this caption is too long; 0: it is not. */
export function captionExcess(
  connector: Pick<Connector, 'countedText'> | undefined,
  { caption }: Pick<Capabilities, 'caption'>,
  { text, options }: { text: string; options: JsonObject },
): number {
  const counted = connector?.countedText?.(text, options) ?? text;
  const over = captionLength(counted, caption) - caption.maxLength;
  return Math.max(0, over > 0 ? over : Buffer.byteLength(counted) - (caption.maxBytes ?? Number.POSITIVE_INFINITY));
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

/**
 * The choice that a post makes in a way which this account is not allowed, or null.
 * @param valuesOf what the account may choose from
 */
export function refusedChoice(
  choices: readonly Choice[],
  valuesOf: (choice: Choice) => readonly ChoiceValue[],
  options: JsonObject,
): { choice: Choice; allowed: readonly string[] } | null {
  for (const choice of choices) {
    const allowed = valuesOf(choice).map(({ value }) => value);
    // What an account has of its own (a board made today) may be newer than what we know of it; its platform decides.
    const known = choice.values.some(({ value }) => value === options[choice.name]);
    if (known && !allowed.includes(String(options[choice.name]))) return { choice, allowed };
  }
  return null;
}

function group(value: number): string {
  return value.toLocaleString('en-US');
}
