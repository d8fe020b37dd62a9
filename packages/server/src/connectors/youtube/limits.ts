import type { Budget, Capabilities, Choice } from '../contract.ts';

/**
 * What `videos.insert` takes (discovery document of v3: 256 GiB; "Upload videos" of the help: 12 hours). A channel whose
 * long uploads are not allowed has less, which `identify` learns.
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

/** Seconds, of a channel that may not upload long videos. */
export const SHORT_UPLOADS_SECONDS = 900;

const DAY_MS = 86_400_000;

/** Quotas are counted from midnight there ("Quota usage"). */
const PACIFIC = 'America/Los_Angeles';

/**
 * 100 uploads a day for all channels together ("Quota costs"); as many pictures, which cost 50 of the 10,000 units that
 * everything else shares, so that half of those are left for questions. How many uploads a channel may make is not
 * documented: its budget is never used up by itself and is there to be closed when YouTube says so.
 */
export const budgets: readonly Budget[] = [
  { name: 'uploads', scope: 'app', limit: 100, windowMs: DAY_MS, kind: 'daily', dayIn: PACIFIC },
  { name: 'pictures', scope: 'app', limit: 100, windowMs: DAY_MS, kind: 'daily', dayIn: PACIFIC },
  { name: 'channel', scope: 'account', limit: 10_000, windowMs: DAY_MS, kind: 'daily' },
];

export const PRIVACIES = ['public', 'unlisted', 'private'] as const;
export type Privacy = (typeof PRIVACIES)[number];

/** Nobody has to choose: without a choice videos are public. */
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
