/** A passkey as responses show it. */
import { z } from 'zod';
import { id, timestamp } from '../../http/operation.ts';
import type { PasskeyRow } from '../../users/passkey-store.ts';

export const passkey = z
  .object({
    id,
    name: z.string().meta({ examples: ['Google Password Manager'] }),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable().meta({ description: 'The last sign-in with it; null if it was not used.' }),
  })
  .meta({ id: 'Passkey' });

export const showPasskey = (row: PasskeyRow): z.input<typeof passkey> => ({
  id: row.id,
  name: row.name ?? 'Passkey',
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
});
