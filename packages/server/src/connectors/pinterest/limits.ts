/** What Pinterest accepts: limits, the setting of an account, and the options of a post. */
import { z } from 'zod';
import { MINUTE } from '../../lib/time.ts';
import type { Budget, Capabilities, Choice, JsonObject } from '../contract.ts';
import { valuesOf } from '../kit/choices.ts';

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
  watch: 'announce',
};

/**
 * Limit of the `org_write` category for an application with Standard access. A trial application may not post at all.
 */
export const budgets: readonly Budget[] = [
  { name: 'writes', scope: 'account', limit: 100, windowMs: MINUTE, kind: 'rate' },
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
    values: valuesOf({
      PUBLIC: 'The oldest public board',
      PROTECTED: 'The oldest protected board',
      SECRET: 'The oldest secret board',
    }),
  },
];

/** The options of a post. Lengths are from API v5. */
export const options: z.ZodType<JsonObject> = z
  .strictObject({
    /** Id of a board to use instead of the account's board. */
    board: z.string().regex(/^\d{1,30}$/, 'must be the number of a board'),
    title: z.string().max(100),
    link: z.url({ protocol: /^https?$/ }).max(2048),
    altText: z.string().max(500),
  })
  .partial()
  .transform((asked): JsonObject => JSON.parse(JSON.stringify(asked)) as JsonObject);
