import { z } from 'zod';
import type { JsonObject } from '../contract.ts';

/** What a post may ask of Snapchat alone. */
export const options: z.ZodType<JsonObject> = z
  .strictObject({
    /** Language and country of the text; `en_US` when absent. */
    locale: z.string().regex(/^[a-z]{2}_[A-Z]{2}$/, 'must look like en_US'),
    /** Whether it stays on the profile; it does when absent. */
    saveToProfile: z.boolean(),
  })
  .partial()
  .transform((asked): JsonObject => JSON.parse(JSON.stringify(asked)) as JsonObject);
