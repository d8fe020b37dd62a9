/** Checks a video and a caption against a platform's limits before its first call. */
import type { Capabilities, Choice, ChoiceValue, Connector, JsonObject } from '../connectors/contract.ts';
import { type CountCaption, captionLength } from '../connectors/kit/captions.ts';
import { codePoints } from '../lib/text.ts';
import { planRendition } from '../media/rendition/plan.ts';
import type { VideoFacts } from '../media/types.ts';
import { say } from '../messages/media.ts';
import type { Message } from '../messages/message.ts';

/** Returns why the unchanged video is not accepted, as sentences with the limits; null if it is. */
export function videoProblem(capabilities: Pick<Capabilities, 'video'>, video: VideoFacts): Message | null {
  const plan = planRendition(capabilities.video, video);
  return plan.fits ? null : plan.why;
}

/** Returns why the caption is not accepted, as a sentence with the limit; null if it is. */
export function captionProblem(
  capabilities: Pick<Capabilities, 'caption'>,
  text: string,
  count: CountCaption = captionLength,
): Message | null {
  const limit = capabilities.caption;
  const length = count(text, limit);
  if (length > limit.maxLength) {
    const plain = codePoints(text);
    const counted = { value: length, limit: limit.maxLength };
    return plain === length ? say('text_too_long', counted) : say('text_counted_too_long', { ...counted, plain });
  }
  const bytes = Buffer.byteLength(text);
  if (limit.maxBytes !== undefined && bytes > limit.maxBytes)
    return say('text_too_large', { value: bytes, limit: limit.maxBytes });
  return null;
}

/** Same, including the platform's own options, which may make the text longer. */
export function captionProblemWith(
  connector: Pick<Connector, 'countedText'> | undefined,
  capabilities: Pick<Capabilities, 'caption'>,
  { text, options }: { text: string; options: JsonObject },
  count?: CountCaption,
): Message | null {
  return captionProblem(capabilities, connector?.countedText?.(text, options) ?? text, count);
}

/** Number of characters (or bytes) by which the caption is too long; 0 if it fits. */
export function captionExcess(
  connector: Pick<Connector, 'countedText'> | undefined,
  { caption }: Pick<Capabilities, 'caption'>,
  { text, options }: { text: string; options: JsonObject },
  count: CountCaption = captionLength,
): number {
  const counted = connector?.countedText?.(text, options) ?? text;
  const over = count(counted, caption) - caption.maxLength;
  return Math.max(0, over > 0 ? over : Buffer.byteLength(counted) - (caption.maxBytes ?? Number.POSITIVE_INFINITY));
}

/**
 * The first required setting that the account's owner still has to choose, or null.
 * @param options of the post; an option named like a choice makes that choice for this post
 */
export function missingChoice(
  choices: readonly Choice[],
  made: Record<string, string>,
  options: JsonObject = {},
): Choice | null {
  return choices.find(({ name, required }) => required && !made[name] && typeof options[name] !== 'string') ?? null;
}

/**
 * A choice of the post that this account does not allow, or null.
 * @param valuesOf the values the account may choose from
 */
export function refusedChoice(
  choices: readonly Choice[],
  valuesOf: (choice: Choice) => readonly ChoiceValue[],
  options: JsonObject,
): { choice: Choice; allowed: readonly string[] } | null {
  for (const choice of choices) {
    const allowed = valuesOf(choice).map(({ value }) => value);
    // Values specific to an account (a board created today) may be newer than our copy, so the platform decides.
    const known = choice.values.some(({ value }) => value === options[choice.name]);
    if (known && !allowed.includes(String(options[choice.name]))) return { choice, allowed };
  }
  return null;
}
