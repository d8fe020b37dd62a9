import { z } from 'zod';

/** Threads-specific post options (parameters of `/{profile}/threads`). */
export const options = z.strictObject({
  /** Who may reply. */
  replyControl: z
    .enum(['everyone', 'accounts_you_follow', 'mentioned_only', 'parent_post_author_only', 'followers_only'])
    .optional(),
  /** One topic, without "#". */
  topicTag: z
    .string()
    .regex(/^[^.&#]{1,50}$/, 'must be 1 to 50 characters without ".", "&" and "#"')
    .optional(),
  /** Alternative text of the video. */
  altText: z.string().min(1).max(1000).optional(),
  /** Hides the video until the viewer reveals it. */
  spoiler: z.boolean().optional(),
});

/** Converts options to request parameters. @throws ZodError if they do not match the schema */
export function optionParameters(given: unknown): Record<string, string> {
  const { replyControl, topicTag, altText, spoiler } = options.parse(given);
  return {
    ...(replyControl === undefined ? {} : { reply_control: replyControl }),
    ...(topicTag === undefined ? {} : { topic_tag: topicTag }),
    ...(altText === undefined ? {} : { alt_text: altText }),
    ...(spoiler === undefined ? {} : { is_spoiler_media: String(spoiler) }),
  };
}
