import { z } from 'zod';

/** The state of a preview. */
export const previewResponse = z.object({
  data: z.object({
    state: z.enum(['making', 'stored', 'failed']),
    progress: z.number().meta({ description: 'How much of it is made, from 0 to 1.' }),
  }),
});
