/** What a post may ask of Bluesky alone (lexicons app.bsky.feed.post and com.atproto.label.defs). */
import { z } from 'zod';
import type { JsonObject, PostContent } from '../contract.ts';

/** What an author may say of a post, so that who does not want to see it need not ("Labels and moderation"). */
const LABELS = ['sexual', 'nudity', 'porn', 'graphic-media'] as const;

export const options = z.strictObject({
  /** BCP 47, such as `en` or `pt-BR`. */
  langs: z
    .array(z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be the code of a language, such as "en"'))
    .min(1)
    .max(3)
    .optional(),
  labels: z.array(z.enum(LABELS)).min(1).max(LABELS.length).optional(),
});

/** The fields of a record that options become. @throws ZodError for what {@link options} never made */
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
