/** Snippets in requests and responses. */
import { z } from 'zod';
import { id, trimmedText } from '../../http/operation.ts';
import { unifyLineBreaks } from '../../lib/text.ts';

/** In UTF-16 units, after trimming. */
const MAX_NAME = 40;
/** In UTF-16 units, after trimming. */
const MAX_TEXT = 2_000;

const examples = { name: ['Travel tags'], text: ['#travel #roadtrip'] };

export const savedSnippet = z
  .strictObject({
    name: trimmedText(MAX_NAME).meta({
      description: `At most ${MAX_NAME} characters. Unique among your snippets.`,
      examples: examples.name,
    }),
    text: trimmedText(MAX_TEXT)
      .overwrite(unifyLineBreaks)
      .meta({
        description: `At most ${MAX_TEXT.toLocaleString('en')} characters.`,
        examples: examples.text,
      }),
  })
  .meta({ id: 'SaveSnippet' });

export const snippet = z
  .object({
    id,
    name: z.string().meta({ examples: examples.name }),
    text: z.string().meta({ examples: examples.text }),
  })
  .meta({ id: 'Snippet' });
