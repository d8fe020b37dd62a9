/** What Bluesky takes (lexicons app.bsky.embed.video and app.bsky.feed.post, docs.bsky.app on rate limits). */
import type { Budget, Capabilities, Container } from '../contract.ts';

export const MAX_GRAPHEMES = 300;
export const MAX_TEXT_BYTES = 3000;
export const MAX_VIDEO_BYTES = 300_000_000;
/** What hosts of Bluesky take as one blob; a server tells its own limit. */
export const USUAL_BLOB_BYTES = 50 * 1024 * 1024;
const MAX_SECONDS = 600;

/** What the video service reads, by container. */
export const MIME_OF: Partial<Record<Container, string>> = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
};

/**
 * The video service converts what it is given and refuses extreme shapes, of which the bounds are not published; 9:16 is none.
 * @param given whether there is a video service for the account, and the most bytes its server takes as one blob
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
      // Stored as it is, so it must be what every viewer plays.
      containers: ['mp4'],
      videoCodecs: ['h264'],
      audioCodecs: ['aac'],
    },
    caption,
    watch: 'poll',
  };
}

/** 5000 points an hour and 35,000 a day, of which a new record takes at most 3; 1000 blobs a day. */
export const budgets: readonly Budget[] = [
  { name: 'writes', scope: 'account', limit: 1_600, windowMs: 3_600_000, kind: 'rate' },
  { name: 'writes-daily', scope: 'account', limit: 11_600, windowMs: 86_400_000, kind: 'daily' },
  { name: 'blobs', scope: 'account', limit: 1_000, windowMs: 86_400_000, kind: 'daily' },
];
