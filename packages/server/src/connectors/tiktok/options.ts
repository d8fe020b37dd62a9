/** TikTok-specific post options (`post_info` of "Direct Post"). */
import { z } from 'zod';
import type { PostContent, Session } from '../contract.ts';
import { PRIVACIES } from './limits.ts';

/** `video_cover_timestamp_ms` is a 32-bit integer. */
const LATEST_COVER_MS = 2 ** 31 - 1;

export const options = z
  .strictObject({
    /** Overrides the account's privacy setting. It has no default, because the sharing guidelines forbid one. */
    privacy: z.enum(PRIVACIES).optional(),
    disableComment: z.boolean().optional(),
    disableDuet: z.boolean().optional(),
    disableStitch: z.boolean().optional(),
    /** Promotes the creator's own business. */
    brandOrganic: z.boolean().optional(),
    /** Promotes another brand (paid partnership). */
    brandContent: z.boolean().optional(),
    aiGenerated: z.boolean().optional(),
    /** Position of the cover frame, ms from the start. Defaults to the preview time. */
    coverAtMs: z.int().min(0).max(LATEST_COVER_MS).optional(),
  })
  .refine(({ brandContent, privacy }) => !(brandContent && privacy === PRIVATE), {
    path: ['brandContent'],
    message: 'branded content cannot be visible to oneself only',
  });

/** The privacy that branded content may not have. */
export const PRIVATE = 'SELF_ONLY';

export type Asked = z.infer<typeof options>;

/** @throws ZodError if `post.options` does not match {@link options} */
export const askedOf = (post: Pick<PostContent, 'options'>): Asked => options.parse(post.options);

/** Returns the post's privacy, else the account's setting, else "". */
export function privacyOf(post: Pick<PostContent, 'options'>, session: Pick<Session, 'choices'>): string {
  return askedOf(post).privacy ?? session.choices.privacy ?? '';
}
