import { z } from 'zod';
import type { Budget, Capabilities, JsonObject } from '../contract.ts';
import { MAX_ESCAPED, RESERVED } from './text.ts';

/**
 * Specifications of the Videos API. "500 MB" is taken for 500 million bytes, and "75 kB" for the larger of both meanings. The `#` of a hashtag is not escaped, and is counted as if it were.
 */
export const capabilities: Capabilities = {
  video: {
    maxBytes: 500_000_000,
    minBytes: 76_800,
    minSeconds: 3,
    maxSeconds: 1_800,
    containers: ['mp4'],
    videoCodecs: ['h264'],
    audioCodecs: ['aac'],
    maxFps: 60,
    minAspect: 1 / 2.4,
    maxAspect: 2.4,
  },
  caption: { maxLength: MAX_ESCAPED, unit: 'utf16', escaped: RESERVED },
  watch: 'own',
};

/**
 * Share on LinkedIn: 150 requests of a member and 100,000 of an application a day, which begins at midnight UTC. One
 * video is one of each.
 */
export const budgets: readonly Budget[] = [
  { name: 'posts', scope: 'account', limit: 150, windowMs: 86_400_000, kind: 'daily', dayIn: 'UTC' },
  { name: 'posts of the application', scope: 'app', limit: 100_000, windowMs: 86_400_000, kind: 'daily', dayIn: 'UTC' },
];

/** What a post may ask of LinkedIn alone. */
export const options: z.ZodType<JsonObject> = z
  .strictObject({
    /** Shown with the video. */
    title: z.string().min(1).max(200),
    /** Pages have no connections. */
    visibility: z.enum(['PUBLIC', 'CONNECTIONS', 'LOGGED_IN']),
  })
  .partial();
