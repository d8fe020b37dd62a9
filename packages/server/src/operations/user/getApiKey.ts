import { z } from 'zod';
import { timestamp } from '../../http/operation.ts';
import { describeKey } from '../../keys/service.ts';
import { operation } from '../operation.ts';

const keyInformation = z
  .object({
    keyPrefix: z.string().meta({ description: 'The first 12 characters. The key itself is never shown again.' }),
    isActive: z.boolean(),
    lastUsedAt: timestamp.nullable().meta({ description: 'Accurate to one minute; null if never used.' }),
    createdAt: timestamp,
  })
  .meta({ id: 'KeyInformation' });

export const getApiKey = operation({
  id: 'getApiKey',
  method: 'GET',
  path: '/user/api-key',
  tag: 'API key',
  summary: 'Key information',
  description: 'Information about your API key. A request with the key counts as a use.',
  auth: 'caller',
  writes: false,
  response: z.object({ data: keyInformation }),
  responseExample: {
    success: true,
    data: {
      keyPrefix: 'rly_7Gh2kQ0x',
      isActive: true,
      lastUsedAt: '2026-08-01T09:30:00.000Z',
      createdAt: '2026-07-01T08:00:00.000Z',
    },
  },
  errors: ['no_api_key'],
  handle: async ({ db }, { caller }) => ({ data: await describeKey(db, caller.userId) }),
});
