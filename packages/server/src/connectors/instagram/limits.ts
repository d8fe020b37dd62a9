import type { Budget, Capabilities } from '../contract.ts';

/** The one place that names the version of the Graph API; a version lives for about two years. */
export const VERSION = 'v25.0';

/**
 * "Reel specifications" of the Instagram Platform's reference of `/{ig-user-id}/media`. It takes no edit lists either, and
 * groups of pictures must be closed: neither can be told of a file, and cameras' files are taken; what we make is so.
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
  },
  caption: { maxLength: 2200, unit: 'utf16' },
  watch: 'poll',
};

/** "Caption" of the same reference. */
const MAX_HASHTAGS = 30;
const MAX_MENTIONS = 20;

/** Why this text is refused whatever its length; null where it is not. */
export function textProblem(text: string): string | null {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  if (count(/#[\p{L}\p{N}_]+/gu) > MAX_HASHTAGS) return `Instagram takes at most ${MAX_HASHTAGS} hashtags in a text.`;
  if (count(/(?<![\p{L}\p{N}_])@[\p{L}\p{N}_.]+/gu) > MAX_MENTIONS)
    return `Instagram takes at most ${MAX_MENTIONS} tags of people.`;
  return null;
}

const DAY_MS = 86_400_000;

/**
 * 400 containers and 50 or 100 posts in 24 hours: the documentation says both, so the platform is asked before each
 * post, and the count here only has to end what it could never allow. How many calls there are depends on how often
 * the account is seen; the limits on calls are closed by the platform's own word.
 */
export const budgets: readonly Budget[] = [
  { name: 'containers', scope: 'account', limit: 400, windowMs: DAY_MS, kind: 'daily' },
  { name: 'posts', scope: 'account', limit: 100, windowMs: DAY_MS, kind: 'daily' },
  { name: 'calls', scope: 'account', limit: 1_000, windowMs: 3_600_000, kind: 'rate' },
  { name: 'application', scope: 'app', limit: 20_000, windowMs: 3_600_000, kind: 'rate' },
];
