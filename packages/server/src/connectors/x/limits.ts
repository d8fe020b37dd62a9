/** What X accepts: limits, and the options of a post. */
import { z } from 'zod';
import type { Message } from '../../messages/message.ts';
import { DAY, MINUTE } from '../../time.ts';
import type { Budget, Capabilities } from '../contract.ts';
import { say } from './messages.ts';

/**
 * X's limits ("Media best practices" and "Counting characters", docs.x.com).
 *
 * Two generations of these pages differ about length and size: 140 s and 512 MB, or 20 minutes and 8 GB. These values
 * satisfy both. X itself downscales frames above 1280 × 1024, which the pages name as the limit without a subscription.
 * GOPs must be closed. A file cannot be checked for that, but our conversion closes them.
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

/** Limits by `subscription_type`. The limits of the cheapest subscription are not documented, so it counts as none. */
export function capabilitiesOf(subscription: string): Capabilities {
  const premium = ['premium', 'premiumplus'].includes(subscription.toLowerCase().replaceAll(/[^a-z]/g, ''));
  if (!premium) return capabilities;
  return {
    ...capabilities,
    video: { ...capabilities.video, maxSeconds: PREMIUM_SECONDS },
    caption: { ...capabilities.caption, maxLength: PREMIUM_LENGTH },
  };
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

/**
 * "Rate limits". Per user in 15 minutes: 1,875 segments, 1,000 status queries, 100 posts. The other budgets are per app
 * and day.
 */
export const budgets: readonly Budget[] = [
  { name: 'parts', scope: 'account', limit: Math.floor(1_875 / SEGMENTS_A_STEP), windowMs: QUARTER_MS, kind: 'rate' },
  { name: 'partsOfAll', scope: 'app', limit: 180_000 / SEGMENTS_A_STEP, windowMs: DAY, kind: 'daily' },
  { name: 'status', scope: 'account', limit: 1_000, windowMs: QUARTER_MS, kind: 'rate' },
  { name: 'posts', scope: 'account', limit: 100, windowMs: QUARTER_MS, kind: 'rate' },
  { name: 'postsOfAll', scope: 'app', limit: 10_000, windowMs: DAY, kind: 'daily' },
];

/** X-specific post options. */
export const options = z.strictObject({
  /** Who may reply; everyone by default. */
  replySettings: z.enum(['everyone', 'following', 'mentionedUsers', 'subscribers', 'verified']).optional(),
  /** Labels the post as made with AI. */
  madeWithAi: z.boolean().optional(),
  /** Labels the post as a paid partnership. */
  paidPartnership: z.boolean().optional(),
});
