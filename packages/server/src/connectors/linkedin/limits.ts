/** Limits, budgets, and post options of LinkedIn. */
import { z } from 'zod';
import type { Budget, Capabilities, JsonObject } from '../contract.ts';
import { MAX_ESCAPED, RESERVED } from './text.ts';

/**
 * From the Videos API specifications. "500 MB" is read as 500 million bytes, and "75 kB" as 75 × 1,024 bytes. The `#`
 * of a hashtag is not escaped but is counted as if it were.
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
 * Limits per UTC day, from "Share on LinkedIn": 150 requests per member and 100,000 per application. One video takes
 * one of each.
 */
export const budgets: readonly Budget[] = [
  { name: 'posts', scope: 'account', limit: 150, windowMs: 86_400_000, kind: 'daily', dayIn: 'UTC' },
  { name: 'posts of the application', scope: 'app', limit: 100_000, windowMs: 86_400_000, kind: 'daily', dayIn: 'UTC' },
];

/** Post options specific to LinkedIn. */
export const options: z.ZodType<JsonObject> = z
  .strictObject({
    /** Title shown with the video. */
    title: z.string().min(1).max(200),
    /** `CONNECTIONS` is not valid for pages, which have no connections. */
    visibility: z.enum(['PUBLIC', 'CONNECTIONS', 'LOGGED_IN']),
  })
  .partial();
