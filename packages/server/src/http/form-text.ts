import { z } from 'zod';

/** A text in every language of the dashboard. */
export const formText = z
  .object({ en: z.string(), de: z.string() })
  .meta({ id: 'FormText', description: 'By language. May contain links: `[label](https://…)`.' });
