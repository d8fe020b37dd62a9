import { z } from 'zod';

/** What a post may ask of Threads alone (parameters of `/{profile}/threads`). */
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
  /** Describes the video to those who cannot see it. */
  altText: z.string().min(1).max(1000).optional(),
  /** The video is covered until somebody wants to see it. */
  spoiler: z.boolean().optional(),
});

/** The parameters that options become. @throws ZodError for what this schema never made */
export function optionParameters(given: unknown): Record<string, string> {
  const { replyControl, topicTag, altText, spoiler } = options.parse(given);
  return {
    ...(replyControl === undefined ? {} : { reply_control: replyControl }),
    ...(topicTag === undefined ? {} : { topic_tag: topicTag }),
    ...(altText === undefined ? {} : { alt_text: altText }),
    ...(spoiler === undefined ? {} : { is_spoiler_media: String(spoiler) }),
  };
}
