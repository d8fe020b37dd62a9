import { z } from 'zod';
import { DAY } from '../../lib/time.ts';
import type { Budget, Capabilities } from '../contract.ts';

/**
 * Limits from "Reels Publishing": 3 to 90 s, 24 to 60 fps at a fixed rate, progressive, 4:2:0, at least 540 × 960,
 * closed GOPs of 2 to 5 s, AAC-LC.
 *
 * The API's errors name aspect ratios from 9:16 to 16:9. Stereo and 48 kHz are treated as maximums. 128 kbit/s and the
 * minimum of 2 s between key frames are treated as recommendations: cameras record otherwise, and Facebook accepts it.
 * No file size is documented; this one is ours. The caption length is that of ordinary posts.
 */
export const capabilities: Capabilities = {
  video: {
    maxBytes: 1_000_000_000,
    minSeconds: 3,
    maxSeconds: 90,
    containers: ['mp4', 'mov'],
    videoCodecs: ['h264', 'hevc', 'vp9', 'av1'],
    pixelFormats: ['yuv420p', 'yuvj420p', 'yuv420p10le'],
    audioCodecs: ['aac'],
    audioProfiles: ['LC'],
    maxAudioChannels: 2,
    maxAudioRate: 48_000,
    minFps: 24,
    maxFps: 60,
    steadyRate: true,
    progressive: true,
    minWidth: 540,
    minHeight: 960,
    minAspect: 9 / 16,
    maxAspect: 16 / 9,
    closedGops: true,
    maxKeySeconds: 5,
  },
  caption: { maxLength: 63_206, unit: 'utf16' },
  watch: 'poll',
};

/** Each Page may publish 30 reels per 24 hours through the API. */
export const budgets: readonly Budget[] = [
  { name: 'reels', scope: 'account', limit: 30, windowMs: DAY, kind: 'daily', countsPosts: true },
];

/** A reel may have a title besides its description. Its maximum length is not documented. */
export const options = z.strictObject({
  title: z.string().trim().min(1).max(255).optional().meta({ description: 'Title of the reel.' }),
});
