/** What Instagram accepts: limits, and the options of a post. */
import { z } from 'zod';
import { DAY, HOUR } from '../../lib/time.ts';
import type { Message } from '../../messages/message.ts';
import type { Budget, Capabilities } from '../contract.ts';
import { say } from './messages.ts';

/**
 * "Reel specifications" in the reference of `/{ig-user-id}/media`.
 *
 * Edit lists are not allowed and GOPs must be closed. Edit lists that only delay a track are accepted, as cameras write
 * them; one that hides frames is not.
 */
export const capabilities: Capabilities = {
  video: {
    maxBytes: 300_000_000,
    minSeconds: 3,
    maxSeconds: 900,
    containers: ['mp4', 'mov'],
    videoCodecs: ['h264', 'hevc'],
    pixelFormats: ['yuv420p', 'yuvj420p', 'yuv420p10le'],
    audioCodecs: ['aac'],
    maxAudioChannels: 2,
    maxAudioRate: 48_000,
    minFps: 23,
    maxFps: 60,
    progressive: true,
    maxWidth: 1920,
    minAspect: 0.01,
    maxAspect: 10,
    maxBitrate: 25_000_000,
    indexFirst: true,
    noHiddenFrames: true,
    closedGops: true,
  },
  caption: { maxLength: 2200, unit: 'utf16' },
  watch: 'poll',
};

/** "Caption" in the same reference. */
const MAX_HASHTAGS = 30;
export const MAX_MENTIONS = 20;

/** Why Instagram rejects this text regardless of its length, or null. */
export function textProblem(text: string): Message | null {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  if (count(/#[\p{L}\p{N}_]+/gu) > MAX_HASHTAGS) return say('too_many_hashtags', { limit: MAX_HASHTAGS });
  if (count(/(?<![\p{L}\p{N}_])@[\p{L}\p{N}_.]+/gu) > MAX_MENTIONS)
    return say('too_many_mentions', { limit: MAX_MENTIONS });
  return null;
}

/**
 * 400 containers and 50 or 100 posts per 24 hours.
 *
 * The documentation gives both numbers for posts, so the platform's count is queried before each post. The budget here
 * only enforces the upper one. The number of calls allowed depends on the account's impressions. Those budgets are
 * blocked when the platform reports a limit.
 */
export const budgets: readonly Budget[] = [
  { name: 'containers', scope: 'account', limit: 400, windowMs: DAY, kind: 'daily' },
  { name: 'posts', scope: 'account', limit: 100, windowMs: DAY, kind: 'daily', countsPosts: true },
  { name: 'calls', scope: 'account', limit: 1_000, windowMs: HOUR, kind: 'rate' },
  { name: 'application', scope: 'app', limit: 20_000, windowMs: HOUR, kind: 'rate' },
];

const usernames = z.array(z.string().regex(/^@?[\w.]{1,30}$/, 'must be a user name')).max(3);

/** Instagram-specific post options ("Create a container" in the reference of `/{ig-user-id}/media`). */
export const options = z.strictObject({
  /** If false, the reel appears only in the Reels tab. */
  shareToFeed: z.boolean().optional(),
  /** Up to three users who are invited as collaborators. */
  collaborators: usernames.optional(),
  /** Name of the audio track. */
  audioName: z.string().min(1).max(200).optional(),
  /**
   * Trial reel, first shown to non-followers. It is shared with everyone manually, or by Instagram if it performs well.
   */
  trial: z.enum(['manual', 'performance']).optional(),
  aiGenerated: z.boolean().optional(),
});

type Asked = z.infer<typeof options>;

const STRATEGY: Record<NonNullable<Asked['trial']>, string> = { manual: 'MANUAL', performance: 'SS_PERFORMANCE' };

/** Converts options to request parameters. @throws ZodError if they do not match the schema */
export function optionParameters(given: unknown): Record<string, string> {
  const { shareToFeed, collaborators, audioName, trial, aiGenerated } = options.parse(given);
  return {
    ...(shareToFeed === undefined ? {} : { share_to_feed: String(shareToFeed) }),
    ...(collaborators?.length
      ? { collaborators: JSON.stringify(collaborators.map((name) => name.replace('@', ''))) }
      : {}),
    ...(audioName === undefined ? {} : { audio_name: audioName }),
    ...(trial === undefined ? {} : { trial_params: JSON.stringify({ graduation_strategy: STRATEGY[trial] }) }),
    ...(aiGenerated === undefined ? {} : { is_ai_generated: String(aiGenerated) }),
  };
}
