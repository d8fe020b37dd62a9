/** What a post may ask of TikTok alone (`post_info` of "Direct Post"). */
import { z } from 'zod';
import type { PostContent, Session } from '../contract.ts';
import { PRIVACIES } from './limits.ts';

/** `video_cover_timestamp_ms` is a 32-bit number. */
const LATEST_COVER_MS = 2 ** 31 - 1;

export const options = z
  .strictObject({
    /** Instead of the account's own choice. Nothing is chosen for anybody: the sharing guidelines forbid a preset. */
    privacy: z.enum(PRIVACIES).optional(),
    disableComment: z.boolean().optional(),
    disableDuet: z.boolean().optional(),
    disableStitch: z.boolean().optional(),
    /** It promotes the creator's own business. */
    brandOrganic: z.boolean().optional(),
    /** It promotes another brand: a paid partnership. */
    brandContent: z.boolean().optional(),
    aiGenerated: z.boolean().optional(),
    /** Moment of the cover picture, ms from the beginning; that of the preview when absent. */
    coverAtMs: z.int().min(0).max(LATEST_COVER_MS).optional(),
  })
  .refine(({ brandContent, privacy }) => !(brandContent && privacy === PRIVATE), {
    path: ['brandContent'],
    message: 'branded content cannot be visible to oneself only',
  });

/** Branded content cannot have this one. */
export const PRIVATE = 'SELF_ONLY';

export type Asked = z.infer<typeof options>;

/** @throws ZodError for what {@link options} never made */
export const askedOf = (post: Pick<PostContent, 'options'>): Asked => options.parse(post.options);

/** What the post asks for, else what the account's owner has chosen; "" where neither says. */
export function privacyOf(post: Pick<PostContent, 'options'>, session: Pick<Session, 'choices'>): string {
  return askedOf(post).privacy ?? session.choices.privacy ?? '';
}
