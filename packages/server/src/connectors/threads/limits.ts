import type { Budget, Capabilities } from '../contract.ts';

/**
 * "Video specifications" of the posts guide, which knows no edit lists and closed groups of pictures only, as Instagram's.
 * Of the rate two figures are told; the lower one is what everybody's copy of the page has.
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
  // An emoji is said to count as its bytes; where that makes a text too long, Threads says so before anything appears.
  caption: { maxLength: 500, unit: 'codepoints' },
  watch: 'poll',
};

/** 250 posts of the API in 24 hours for each profile; how many there were is read before each. */
export const budgets: readonly Budget[] = [
  { name: 'posts', scope: 'account', limit: 250, windowMs: 86_400_000, kind: 'daily' },
];
