/** What a post may ask of YouTube alone. */
import { z } from 'zod';
import type { PostContent, Session } from '../contract.ts';
import { at } from '../kit/json.ts';
import { PRIVACIES, type Privacy } from './limits.ts';
import { descriptionOf, MAX_TITLE, titleOf } from './texts.ts';

const MAX_TAGS = 500;

export const options = z.strictObject({
  /** Instead of the first line of the text. */
  title: z.string().trim().min(1).max(MAX_TITLE).optional(),
  tags: z
    .array(
      z
        .string()
        .trim()
        .min(1)
        .max(MAX_TAGS)
        .regex(/^[^<>]*$/, 'tags have no < and no >'),
    )
    .refine((tags) => tagsLength(tags) <= MAX_TAGS, `tags have at most ${MAX_TAGS} characters in all`)
    .optional(),
  privacy: z.enum(PRIVACIES).optional(),
  /** Made for children, in the sense of the law (COPPA); not when absent. */
  madeForKids: z.boolean().optional(),
  /** Shows realistic content that was made or altered by machines; absent: nothing is declared. */
  syntheticMedia: z.boolean().optional(),
  /** Number of a video category; 22 (people and blogs) when absent. */
  category: z
    .string()
    .regex(/^\d{1,3}$/, 'category is a number as text')
    .optional(),
  /** Whether subscribers are told; they are when absent. */
  notifySubscribers: z.boolean().optional(),
});

/** How YouTube counts tags together: one with a space is put in quotes, and the commas between them count. */
export function tagsLength(tags: readonly string[]): number {
  return tags.reduce((sum, tag) => sum + tag.length + (/\s/.test(tag) ? 2 : 0), Math.max(0, tags.length - 1));
}

/** The privacy that a post asks for, else that of the account's owner, else public. */
export function privacyOf(post: Pick<PostContent, 'options'>, session: Pick<Session, 'choices'>): Privacy {
  const wanted = at(post.options, 'privacy') ?? session.choices.privacy;
  return PRIVACIES.find((privacy) => privacy === wanted) ?? 'public';
}

/** The body of `videos.insert`. */
export function resourceOf(post: Pick<PostContent, 'text' | 'options'>, privacy: string): Record<string, unknown> {
  const asked = options.safeParse(post.options).data ?? {};
  const { title, tags, category = '22', madeForKids = false, syntheticMedia } = asked;
  return {
    snippet: {
      title: titleOf(title ?? post.text),
      description: descriptionOf(post.text),
      ...(tags?.length ? { tags } : {}),
      categoryId: category,
    },
    status: {
      privacyStatus: privacy,
      selfDeclaredMadeForKids: madeForKids,
      ...(syntheticMedia === undefined ? {} : { containsSyntheticMedia: syntheticMedia }),
    },
  };
}

/** Whether subscribers are told. */
export function notifies(post: Pick<PostContent, 'options'>): boolean {
  return at(post.options, 'notifySubscribers') !== false;
}
