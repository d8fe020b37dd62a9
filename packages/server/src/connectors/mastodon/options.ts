/** What a post may ask of Mastodon alone ("Post a new status"). */
import { z } from 'zod';
import type { JsonObject, PostContent, Session } from '../contract.ts';
import { textAt } from '../kit/json.ts';

export const options = z.strictObject({
  /** Instead of the user's own default. */
  visibility: z.enum(['public', 'unlisted', 'private', 'direct']).optional(),
  /** The video is hidden until somebody wants to see it. */
  sensitive: z.boolean().optional(),
  /** Stands in front, and the text behind it; counts with the text. */
  spoilerText: z.string().min(1).max(5_000).optional(),
  /** ISO 639, with a region where that matters (`pt-BR`); the user's own default when absent. */
  language: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/, 'must be the code of a language, such as "en"')
    .optional(),
});

/** The parameters of a status that options become. @throws ZodError for what {@link options} never made */
export function statusParameters(post: Pick<PostContent, 'options'>): JsonObject {
  const { sensitive, spoilerText, language } = options.parse(post.options);
  return {
    ...(sensitive === undefined ? {} : { sensitive }),
    ...(spoilerText === undefined ? {} : { spoiler_text: spoilerText }),
    ...(language === undefined ? {} : { language }),
  };
}

/** What the post asks for, else the user's own default; "" where neither is known. */
export function visibilityOf(post: Pick<PostContent, 'options'>, session: Pick<Session, 'extra'>): string {
  return textAt(post.options, 'visibility') || textAt(session.extra, 'privacy');
}

/** A server counts both texts together. */
export const countedText = (text: string, asked: JsonObject): string => textAt(asked, 'spoilerText') + text;
