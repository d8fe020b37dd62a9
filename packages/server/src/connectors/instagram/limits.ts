import type { Budget, Capabilities } from '../contract.ts';

/** Graph API version, named only here. A version is supported for about two years. */
export const VERSION = 'v25.0';

/**
 * "Reel specifications" in the reference of `/{ig-user-id}/media`.
 *
 * Edit lists are not allowed and GOPs must be closed. A file cannot be checked for either. Files from cameras are
 * accepted, and our conversion complies.
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

/** "Caption" in the same reference. */
const MAX_HASHTAGS = 30;
const MAX_MENTIONS = 20;

/** Why Instagram rejects this text regardless of its length, or null. */
export function textProblem(text: string): string | null {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  if (count(/#[\p{L}\p{N}_]+/gu) > MAX_HASHTAGS) return `Instagram takes at most ${MAX_HASHTAGS} hashtags in a text.`;
  if (count(/(?<![\p{L}\p{N}_])@[\p{L}\p{N}_.]+/gu) > MAX_MENTIONS)
    return `Instagram takes at most ${MAX_MENTIONS} tags of people.`;
  return null;
}

const DAY_MS = 86_400_000;

/**
 * 400 containers and 50 or 100 posts per 24 hours.
 *
 * The documentation gives both numbers for posts, so the platform's count is queried before each post. The budget here
 * only enforces the upper one. The number of calls allowed depends on the account's impressions. Those budgets are
 * blocked when the platform reports a limit.
 */
export const budgets: readonly Budget[] = [
  { name: 'containers', scope: 'account', limit: 400, windowMs: DAY_MS, kind: 'daily' },
  { name: 'posts', scope: 'account', limit: 100, windowMs: DAY_MS, kind: 'daily' },
  { name: 'calls', scope: 'account', limit: 1_000, windowMs: 3_600_000, kind: 'rate' },
  { name: 'application', scope: 'app', limit: 20_000, windowMs: 3_600_000, kind: 'rate' },
];
