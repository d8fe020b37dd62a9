/** Account groups in requests and responses. */
import { z } from 'zod';
import { id, trimmedText } from '../../http/operation.ts';

/** In UTF-16 units, after trimming. */
const MAX_NAME = 40;

export const groupName = trimmedText(MAX_NAME).meta({
  description: `At most ${MAX_NAME} characters. Unique among your groups.`,
  examples: ['Main channels'],
});

export const accountGroup = z
  .object({
    id,
    name: z.string().meta({ examples: ['Main channels'] }),
    accounts: z.array(id).meta({ description: 'Ids of connected accounts, in the order in which they were saved.' }),
  })
  .meta({ id: 'AccountGroup' });
