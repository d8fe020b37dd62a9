/** What Bluesky accepts: limits, and the options of a post. */
import { z } from 'zod';
import { DAY, HOUR } from '../../lib/time.ts';
import type { Budget, Capabilities, Container, JsonObject, PostContent } from '../contract.ts';

export const MAX_GRAPHEMES = 300;
export const MAX_TEXT_BYTES = 3000;
export const MAX_VIDEO_BYTES = 300_000_000;
/** Default maximum size of a blob in bytes on Bluesky's hosts. A server reports its own limit. */
export const USUAL_BLOB_BYTES = 50 * 1024 * 1024;
/** Default maximum size of a blob in bytes of the server software. Servers before PDS 0.5 do not tell their limit. */
export const MIN_BLOB_BYTES = 5 * 1024 * 1024;
const MAX_SECONDS = 600;

/** Media types that the video service accepts, by container. */
export const MIME_OF: Partial<Record<Container, string>> = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
};

/**
 * Returns the limits for an account. The video service converts videos and rejects extreme aspect ratios; it does not
 * publish the bounds, and it accepts 9:16.
 * @param given whether the account can use the video service, and the server's blob limit in bytes
 */
export function capabilitiesOf(given: { videoService: boolean; blobUploadLimit: number | null }): Capabilities {
  const caption = { maxLength: MAX_GRAPHEMES, unit: 'graphemes', maxBytes: MAX_TEXT_BYTES } as const;
  if (given.videoService)
    return {
      video: { maxBytes: MAX_VIDEO_BYTES, maxSeconds: MAX_SECONDS, containers: ['mp4', 'mov', 'webm'] },
      caption,
      watch: 'poll',
    };
  return {
    video: {
      maxBytes: Math.min(given.blobUploadLimit ?? USUAL_BLOB_BYTES, MAX_VIDEO_BYTES),
      maxSeconds: MAX_SECONDS,
      // Stored without conversion, so every client must be able to play it.
      containers: ['mp4'],
      videoCodecs: ['h264'],
      audioCodecs: ['aac'],
    },
    caption,
    watch: 'poll',
  };
}

/** Rate limits: 5,000 points an hour and 35,000 a day; creating a record costs at most 3. 1,000 blobs a day. */
export const budgets: readonly Budget[] = [
  { name: 'writes', scope: 'account', limit: 1_600, windowMs: HOUR, kind: 'rate' },
  { name: 'writes-daily', scope: 'account', limit: 11_600, windowMs: DAY, kind: 'daily' },
  { name: 'blobs', scope: 'account', limit: 1_000, windowMs: DAY, kind: 'daily' },
];

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
