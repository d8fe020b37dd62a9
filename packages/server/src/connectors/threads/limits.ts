import type { Budget, Capabilities } from '../contract.ts';

/** "Video specifications" of the posts guide. Wider than this is refused by ourselves; a bit rate is not stated for certain. */
export const MAX_WIDTH = 1920;

export const capabilities: Capabilities = {
  video: {
    maxBytes: 1_000_000_000,
    maxSeconds: 300,
    containers: ['mp4', 'mov'],
    videoCodecs: ['h264', 'hevc'],
    audioCodecs: ['aac'],
    minFps: 23,
    maxFps: 60,
  },
  // An emoji is said to count as its bytes; where that makes a text too long, Threads says so before anything appears.
  caption: { maxLength: 500, unit: 'codepoints' },
  watch: 'poll',
};

/** 250 posts of the API in 24 hours for each profile; how many there were is read before each. */
export const budgets: readonly Budget[] = [
  { name: 'posts', scope: 'account', limit: 250, windowMs: 86_400_000, kind: 'daily' },
];
