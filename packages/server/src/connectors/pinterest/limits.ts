/** Limits, budgets, and account settings of Pinterest. */
import type { Budget, Capabilities, Choice } from '../contract.ts';

/** From "Video specifications" of Pinterest. */
export const capabilities: Capabilities = {
  video: {
    maxBytes: 2_000_000_000,
    minSeconds: 4,
    maxSeconds: 900,
    containers: ['mp4', 'mov'],
    videoCodecs: ['h264', 'hevc'],
    minAspect: 1 / 2,
    maxAspect: 1.91,
  },
  caption: { maxLength: 800, unit: 'utf16' },
  watch: 'poll',
};

/**
 * Limit of the `org_write` category for an application with Standard access. A trial application may not post at all.
 */
export const budgets: readonly Budget[] = [
  { name: 'writes', scope: 'account', limit: 100, windowMs: 60_000, kind: 'rate' },
];

/**
 * Before an account is connected, only kinds of boards can be offered; `identify` adds the ids of its boards. A kind
 * stands for its board with the lowest id, so that a new board does not change the target.
 */
export const choices: readonly Choice[] = [
  {
    name: 'board',
    label: 'which board the videos are pinned to',
    required: true,
    values: [
      { value: 'PUBLIC', label: 'The oldest public board' },
      { value: 'PROTECTED', label: 'The oldest protected board' },
      { value: 'SECRET', label: 'The oldest secret board' },
    ],
  },
];
