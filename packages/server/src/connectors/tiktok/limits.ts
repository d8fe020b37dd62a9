import type { Budget, Capabilities, Choice } from '../contract.ts';

/**
 * TikTok's "Video restrictions" (Content Posting API). Ten minutes is the maximum for any account. Each account has its
 * own limit (`creator_info`), which is queried before each post. Audio and aspect ratio are not documented.
 */
export const capabilities: Capabilities = {
  video: {
    maxBytes: 4_000_000_000,
    maxSeconds: 600,
    containers: ['mp4', 'mov', 'webm'],
    videoCodecs: ['h264', 'hevc', 'vp8', 'vp9'],
    minFps: 23,
    maxFps: 60,
    minSide: 360,
    maxSide: 4096,
  },
  caption: { maxLength: 2200, unit: 'utf16' },
  watch: 'own',
};

/** Per user token: 6 inits, 20 creator queries and 30 status queries per minute; about 15 posts per 24 hours. */
export const budgets: readonly Budget[] = [
  { name: 'init', scope: 'account', limit: 6, windowMs: 60_000, kind: 'rate' },
  { name: 'creator', scope: 'account', limit: 20, windowMs: 60_000, kind: 'rate' },
  { name: 'status', scope: 'account', limit: 30, windowMs: 60_000, kind: 'rate' },
  { name: 'posts', scope: 'account', limit: 15, windowMs: 86_400_000, kind: 'daily' },
];

/** Values of `privacy_level`. */
export const PRIVACIES = ['PUBLIC_TO_EVERYONE', 'FOLLOWER_OF_CREATOR', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'] as const;

/** TikTok's sharing guidelines require the account owner to choose the privacy; nothing may be preselected. */
export const choices: readonly Choice[] = [
  {
    name: 'privacy',
    label: 'who can see the posts',
    required: true,
    values: [
      { value: 'PUBLIC_TO_EVERYONE', label: 'Everyone' },
      { value: 'FOLLOWER_OF_CREATOR', label: 'Followers' },
      { value: 'MUTUAL_FOLLOW_FRIENDS', label: 'Friends' },
      { value: 'SELF_ONLY', label: 'Only me' },
    ],
  },
];
