import { z } from 'zod';
import type { Budget, Capabilities } from '../contract.ts';

/**
 * "Reels Publishing": 3 to 90 s, 24 to 60 pictures a second, at least 540 × 960. A file size is not stated; this one is
 * ours. The length of a text is that of ordinary posts.
 */
export const capabilities: Capabilities = {
  video: {
    maxBytes: 1_000_000_000,
    minSeconds: 3,
    maxSeconds: 90,
    containers: ['mp4', 'mov'],
    videoCodecs: ['h264', 'hevc', 'vp9', 'av1'],
    audioCodecs: ['aac'],
    minFps: 24,
    maxFps: 60,
    minSide: 540,
  },
  caption: { maxLength: 63_206, unit: 'utf16' },
  watch: 'poll',
};

/** Thirty reels of the API in 24 hours for each Page. */
export const budgets: readonly Budget[] = [
  { name: 'reels', scope: 'account', limit: 30, windowMs: 86_400_000, kind: 'daily' },
];

/** A reel may have a title beside its description. How long is not documented. */
export const options = z.strictObject({
  title: z.string().trim().min(1).max(255).optional().meta({ description: 'Title of the reel.' }),
});
