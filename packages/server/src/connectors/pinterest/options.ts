/** Post options specific to Pinterest. */
import { z } from 'zod';
import type { JsonObject } from '../contract.ts';

/** The schema of the options. Lengths are from API v5. */
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
