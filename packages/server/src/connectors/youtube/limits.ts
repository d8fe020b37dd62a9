import type { Budget, Capabilities, Choice } from '../contract.ts';

/**
 * Limits of `videos.insert` (discovery document of v3: 256 GiB; "Upload videos" in YouTube Help: 12 hours). A channel
 * without long uploads has a lower one, which `identify` reads.
 */
export const capabilities: Capabilities = {
  video: {
    maxBytes: 274_877_906_944,
    maxSeconds: 43_200,
    containers: ['mp4', 'mov', 'webm', 'mpegts', '3gp', 'avi', 'flv'],
  },
  caption: { maxLength: 5_000, unit: 'codepoints', maxBytes: 5_000 },
  watch: 'own',
};

/** Maximum duration on a channel that may not upload long videos, seconds. */
export const SHORT_UPLOADS_SECONDS = 900;

const DAY_MS = 86_400_000;

/** Quotas reset at midnight in this time zone ("Quota usage"). */
const PACIFIC = 'America/Los_Angeles';

/**
 * 100 uploads per day for all channels together ("Quota costs").
 *
 * Thumbnails cost 50 units each of the 10,000 units per day that all other calls share. 100 of them leave half of the
 * units for queries.
 *
 * The upload limit of a single channel is not documented. Its budget never runs out by itself; it exists to be blocked
 * when YouTube reports the limit.
 */
export const budgets: readonly Budget[] = [
  { name: 'uploads', scope: 'app', limit: 100, windowMs: DAY_MS, kind: 'daily', dayIn: PACIFIC },
  { name: 'pictures', scope: 'app', limit: 100, windowMs: DAY_MS, kind: 'daily', dayIn: PACIFIC },
  { name: 'channel', scope: 'account', limit: 10_000, windowMs: DAY_MS, kind: 'daily' },
];

export const PRIVACIES = ['public', 'unlisted', 'private'] as const;
export type Privacy = (typeof PRIVACIES)[number];

/** The setting is optional; videos are public by default. */
export const choices: readonly Choice[] = [
  {
    name: 'privacy',
    label: 'who can see the videos',
    required: false,
    values: [
      { value: 'public', label: 'Everyone' },
      { value: 'unlisted', label: 'Whoever has the link' },
      { value: 'private', label: 'Only me' },
    ],
  },
];
