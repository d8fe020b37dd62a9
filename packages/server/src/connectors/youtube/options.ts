/** YouTube-specific post options. */
import { z } from 'zod';
import type { PostContent, Session } from '../contract.ts';
import { at } from '../kit/json.ts';
import { PRIVACIES, type Privacy } from './limits.ts';
import { descriptionOf, MAX_TITLE, titleOf } from './texts.ts';

const MAX_TAGS = 500;

export const options = z.strictObject({
  /** Defaults to the first line of the caption. */
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
  /** Made for children as defined by COPPA; false by default. */
  madeForKids: z.boolean().optional(),
  /** Realistic content that is generated or altered by AI. If absent, nothing is declared. */
  syntheticMedia: z.boolean().optional(),
  /** Video category number; defaults to 22 (People & Blogs). */
  category: z
    .string()
    .regex(/^\d{1,3}$/, 'category is a number as text')
    .optional(),
  /** Whether subscribers are notified; true by default. */
  notifySubscribers: z.boolean().optional(),
});

/** Length of tags as YouTube counts them: a tag with a space is quoted, and separating commas count. */
export function tagsLength(tags: readonly string[]): number {
  return tags.reduce((sum, tag) => sum + tag.length + (/\s/.test(tag) ? 2 : 0), Math.max(0, tags.length - 1));
}

/** Returns the post's privacy, else the account's setting, else public. */
export function privacyOf(post: Pick<PostContent, 'options'>, session: Pick<Session, 'choices'>): Privacy {
  const wanted = at(post.options, 'privacy') ?? session.choices.privacy;
  return PRIVACIES.find((privacy) => privacy === wanted) ?? 'public';
}

/** Builds the body of `videos.insert`. */
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

/** Whether subscribers are notified. */
export function notifies(post: Pick<PostContent, 'options'>): boolean {
  return at(post.options, 'notifySubscribers') !== false;
}
