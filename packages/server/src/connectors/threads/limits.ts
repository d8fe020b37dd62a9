import type { Budget, Capabilities } from '../contract.ts';

/**
 * "Video specifications" in the posts guide. As on Instagram, edit lists are not allowed and GOPs must be closed. The
 * pages state two bit rates; the lower one appears in every copy.
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
  },
  // The documentation counts an emoji as its UTF-8 bytes. If a text is too long by that count, Threads rejects it
  // before anything is published.
  caption: { maxLength: 500, unit: 'codepoints' },
  watch: 'poll',
};

/** 250 API posts per 24 hours per profile. Threads' own count is queried before each post. */
export const budgets: readonly Budget[] = [
  { name: 'posts', scope: 'account', limit: 250, windowMs: 86_400_000, kind: 'daily' },
];
