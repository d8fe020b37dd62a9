/** What Snapchat Spotlight accepts: limits, and the options of a post. */
import { z } from 'zod';
import type { Capabilities, JsonObject } from '../contract.ts';

/**
 * Spotlight limits from articles and public clients: 9:16, at least 540 × 960. Most sources require six seconds for
 * Spotlight, and five for stories alone. The maximum of one gigabyte applies to the encrypted file.
 */
export const capabilities: Capabilities = {
  video: {
    maxBytes: 999_999_984,
    minSeconds: 6,
    maxSeconds: 60,
    containers: ['mp4'],
    videoCodecs: ['h264'],
    audioCodecs: ['aac'],
    minWidth: 540,
    minHeight: 960,
    minAspect: 9 / 16,
    maxAspect: 9 / 16,
  },
  caption: { maxLength: 160, unit: 'utf16' },
  watch: 'announce',
};

/** The options of a post. */
export const options: z.ZodType<JsonObject> = z
  .strictObject({
    /** Language and country of the text. Defaults to `en_US`. */
    locale: z.string().regex(/^[a-z]{2}_[A-Z]{2}$/, 'must look like en_US'),
    /** Whether the video stays on the profile. Defaults to true. */
    saveToProfile: z.boolean(),
  })
  .partial()
  .transform((asked): JsonObject => JSON.parse(JSON.stringify(asked)) as JsonObject);
