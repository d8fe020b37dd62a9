/** Post options specific to Bluesky (lexicons app.bsky.feed.post and com.atproto.label.defs). */
import { z } from 'zod';
import type { JsonObject, PostContent } from '../contract.ts';

/** Self-labels for content that some users filter out ("Labels and moderation"). */
const LABELS = ['sexual', 'nudity', 'porn', 'graphic-media'] as const;

export const options = z.strictObject({
  /** BCP 47 language tags, such as `en` or `pt-BR`. */
  langs: z
    .array(z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be the code of a language, such as "en"'))
    .min(1)
    .max(3)
    .optional(),
  labels: z.array(z.enum(LABELS)).min(1).max(LABELS.length).optional(),
});

/** Returns the record fields for the options. @throws ZodError for an object that {@link options} did not produce */
export function recordFields(post: Pick<PostContent, 'options'>): JsonObject {
  const { langs, labels } = options.parse(post.options);
  return {
    ...(langs ? { langs } : {}),
    ...(labels
      ? {
          labels: {
            $type: 'com.atproto.label.defs#selfLabels',
            values: [...new Set(labels)].map((val) => ({ val })),
          },
        }
      : {}),
  };
}
