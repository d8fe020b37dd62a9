/** Post options specific to Snapchat. */
import { z } from 'zod';
import type { JsonObject } from '../contract.ts';

/** The schema of the options. */
export const options: z.ZodType<JsonObject> = z
  .strictObject({
    /** Language and country of the text. Defaults to `en_US`. */
    locale: z.string().regex(/^[a-z]{2}_[A-Z]{2}$/, 'must look like en_US'),
    /** Whether the video stays on the profile. Defaults to true. */
    saveToProfile: z.boolean(),
  })
  .partial()
  .transform((asked): JsonObject => JSON.parse(JSON.stringify(asked)) as JsonObject);
