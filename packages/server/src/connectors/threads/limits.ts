/** What Threads accepts: limits, and the options of a post. */
import { z } from 'zod';
import { DAY } from '../../lib/time.ts';
import type { Message } from '../../messages/message.ts';
import type { Budget, Capabilities } from '../contract.ts';
import { say } from './messages.ts';

/**
 * "Video specifications" in the posts guide. As on Instagram, edit lists must not hide frames and GOPs must be closed.
 * The pages state two bit rates; the lower one appears in every copy.
 */
export const capabilities: Capabilities = {
  video: {
    maxBytes: 1_000_000_000,
    maxSeconds: 300,
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
  caption: { maxLength: 500, unit: 'codepoints', emojiBytes: true },
  watch: 'poll',
};

const MAX_LINKS = 5;

/** Threads rejects a text with more than five different links ("Create posts", since December 22, 2025). */
export function textProblem(text: string): Message | null {
  const links = new Set(text.match(/https?:\/\/[^\s<>"]+/giu));
  return links.size > MAX_LINKS ? say('too_many_links', { limit: MAX_LINKS }) : null;
}

/** 250 API posts per 24 hours per profile. Threads' own count is queried before each post. */
export const budgets: readonly Budget[] = [
  { name: 'posts', scope: 'account', limit: 250, windowMs: DAY, kind: 'daily', countsPosts: true },
];

/** Threads-specific post options (parameters of `/{profile}/threads`). */
export const options = z.strictObject({
  /** Who may reply. */
  replyControl: z
    .enum(['everyone', 'accounts_you_follow', 'mentioned_only', 'parent_post_author_only', 'followers_only'])
    .optional(),
  /** One topic, without "#". */
  topicTag: z
    .string()
    .regex(/^[^.&#]{1,50}$/, 'must be 1 to 50 characters without ".", "&" and "#"')
    .optional(),
  /** Alternative text of the video. */
  altText: z.string().min(1).max(1000).optional(),
  /** Hides the video until the viewer reveals it. */
  spoiler: z.boolean().optional(),
});

/** Converts options to request parameters. @throws ZodError if they do not match the schema */
export function optionParameters(given: unknown): Record<string, string> {
  const { replyControl, topicTag, altText, spoiler } = options.parse(given);
  return {
    ...(replyControl === undefined ? {} : { reply_control: replyControl }),
    ...(topicTag === undefined ? {} : { topic_tag: topicTag }),
    ...(altText === undefined ? {} : { alt_text: altText }),
    ...(spoiler === undefined ? {} : { is_spoiler_media: String(spoiler) }),
  };
}
