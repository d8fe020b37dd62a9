import { z } from 'zod';
import type { Budget, Capabilities } from '../contract.ts';

/**
 * "Media best practices" and "Counting characters" of docs.x.com. The pages of two generations differ about length and
 * size (140 s and 512 MB, or 20 minutes and 8 GB); what both allow is taken. X makes large pictures smaller itself, as those of
 * 1280 × 1024 that the pages name for accounts without a subscription. Groups of pictures must be closed, which cannot be
 * told of a file; what we make is so.
 */
export const capabilities: Capabilities = {
  video: {
    maxBytes: 500_000_000,
    minSeconds: 0.5,
    maxSeconds: 140,
    containers: ['mp4', 'mov'],
    videoCodecs: ['h264'],
    pixelFormats: ['yuv420p', 'yuvj420p'],
    audioCodecs: ['aac'],
    audioProfiles: ['LC'],
    maxAudioChannels: 2,
    maxFps: 60,
    progressive: true,
    squarePixels: true,
    minAspect: 1 / 3,
    maxAspect: 3,
    minSide: 32,
    maxSide: 1920,
  },
  caption: { maxLength: 280, unit: 'weighted', urlLength: 23, bareLinks: true },
  watch: 'poll',
};

const PREMIUM_SECONDS = 125 * 60;
const PREMIUM_LENGTH = 25_000;

/** What an account may post by its `subscription_type`; of the cheapest it is not said, so it counts as none. */
export function capabilitiesOf(subscription: string): Capabilities {
  const premium = ['premium', 'premiumplus'].includes(subscription.toLowerCase().replaceAll(/[^a-z]/g, ''));
  if (!premium) return capabilities;
  return {
    ...capabilities,
    video: { ...capabilities.video, maxSeconds: PREMIUM_SECONDS },
    caption: { ...capabilities.caption, maxLength: PREMIUM_LENGTH },
  };
}

const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;
/** Segments that go up in one step; `parts` counts steps. */
export const SEGMENTS_A_STEP = 4;

/** "Rate limits": per user in 15 minutes 1,875 segments, 1,000 looks at an upload, 100 posts; per application in a day. */
export const budgets: readonly Budget[] = [
  { name: 'parts', scope: 'account', limit: Math.floor(1_875 / SEGMENTS_A_STEP), windowMs: QUARTER_MS, kind: 'rate' },
  { name: 'partsOfAll', scope: 'app', limit: 180_000 / SEGMENTS_A_STEP, windowMs: DAY_MS, kind: 'daily' },
  { name: 'status', scope: 'account', limit: 1_000, windowMs: QUARTER_MS, kind: 'rate' },
  { name: 'posts', scope: 'account', limit: 100, windowMs: QUARTER_MS, kind: 'rate' },
  { name: 'postsOfAll', scope: 'app', limit: 10_000, windowMs: DAY_MS, kind: 'daily' },
];

/** What a post may ask of X alone. */
export const options = z.strictObject({
  /** Who may reply; everyone where nothing is said. */
  replySettings: z.enum(['everyone', 'following', 'mentionedUsers', 'subscribers', 'verified']).optional(),
  /** Shown as made with AI. */
  madeWithAi: z.boolean().optional(),
  /** Shown as a paid partnership. */
  paidPartnership: z.boolean().optional(),
});
