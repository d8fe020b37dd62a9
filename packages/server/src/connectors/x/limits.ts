/** What X accepts: limits, and X-specific options of a post. */
import { z } from 'zod';
import { DAY, MINUTE } from '../../lib/time.ts';
import type { Message } from '../../messages/message.ts';
import type { Budget, Capabilities } from '../contract.ts';
import { say } from './messages.ts';

/**
 * "Media best practices" and "Counting characters" (docs.x.com). Two generations of these pages differ about length and
 * size: 140 s and 512 MB, or 20 minutes and 8 GB. These values satisfy both. X itself downscales frames above
 * 1280 × 1024, the stated limit without a subscription. "Media best practices" require closed GOPs.
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
    closedGops: true,
  },
  caption: { maxLength: 280, unit: 'weighted', urlLength: 23, bareLinks: true },
  watch: 'poll',
};

/** Limits by `subscription_type`. The limits of the cheapest subscription are not documented, so it counts as none. */
export function capabilitiesOf(subscription: string): Capabilities {
  const { video, caption } = capabilities;
  const isPremium = ['premium', 'premiumplus'].includes(subscription.toLowerCase().replaceAll(/[^a-z]/g, ''));
  const more = { video: { ...video, maxSeconds: 125 * 60 }, caption: { ...caption, maxLength: 25_000 } };
  return isPremium ? { ...capabilities, ...more } : capabilities;
}

/** `$` and a stock symbol between spaces or punctuation, as X's own twitter-text 3.1 finds it. */
const CASHTAG = /(?<=^|\s)\$[a-z]{1,6}(?:[._][a-z]{1,2})?(?=$|[\s!'#%&()*+,\-./:;<=>?@[\]^_{|}~$])/gi;

/** Why X rejects this text regardless of its length, or null. Only enterprise applications may use more cashtags. */
export function textProblem(text: string): Message | null {
  return (text.match(CASHTAG)?.length ?? 0) > 1 ? say('too_many_cashtags') : null;
}

const QUARTER_MS = 15 * MINUTE;
/** Segments sent in one step; the `parts` budgets count steps. */
export const SEGMENTS_A_STEP = 4;

/** "Rate limits": per user in 15 minutes, and per app and day. */
export const budgets: readonly Budget[] = [
  { name: 'parts', scope: 'account', limit: Math.floor(1_875 / SEGMENTS_A_STEP), windowMs: QUARTER_MS, kind: 'rate' },
  { name: 'partsOfAll', scope: 'app', limit: 180_000 / SEGMENTS_A_STEP, windowMs: DAY, kind: 'daily' },
  { name: 'status', scope: 'account', limit: 1_000, windowMs: QUARTER_MS, kind: 'rate' },
  { name: 'posts', scope: 'account', limit: 100, windowMs: QUARTER_MS, kind: 'rate' },
  { name: 'postsOfAll', scope: 'app', limit: 10_000, windowMs: DAY, kind: 'daily', countsPosts: true },
];

export const options = z.strictObject({
  replySettings: z.enum(['everyone', 'following', 'mentionedUsers', 'subscribers', 'verified']).optional(),
  madeWithAi: z.boolean().optional(),
  paidPartnership: z.boolean().optional(),
});
