/** Post options specific to Mastodon ("Post a new status"). */
import { z } from 'zod';
import type { JsonObject, PostContent, Session } from '../contract.ts';
import { textAt } from '../kit/json.ts';

export const options = z.strictObject({
  /** Overrides the user's default. */
  visibility: z.enum(['public', 'unlisted', 'private', 'direct']).optional(),
  /** Hides the video until the viewer chooses to show it. */
  sensitive: z.boolean().optional(),
  /** Content warning shown before the text. Counts toward the text limit. */
  spoilerText: z.string().min(1).max(5_000).optional(),
  /** ISO 639 code, optionally with a region (`pt-BR`). Defaults to the user's own setting. */
  language: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/, 'must be the code of a language, such as "en"')
    .optional(),
});

/**
 * Returns the status parameters for the options. @throws ZodError for an object that {@link options} did not produce
 */
export function statusParameters(post: Pick<PostContent, 'options'>): JsonObject {
  const { sensitive, spoilerText, language } = options.parse(post.options);
  return {
    ...(sensitive === undefined ? {} : { sensitive }),
    ...(spoilerText === undefined ? {} : { spoiler_text: spoilerText }),
    ...(language === undefined ? {} : { language }),
  };
}

/** Returns the post's visibility option, else the user's default; "" if neither is known. */
export function visibilityOf(post: Pick<PostContent, 'options'>, session: Pick<Session, 'extra'>): string {
  return textAt(post.options, 'visibility') || textAt(session.extra, 'privacy');
}

/** The server counts both texts together. */
export const countedText = (text: string, asked: JsonObject): string => textAt(asked, 'spoilerText') + text;
