import { z } from 'zod';
import { shownPart } from '../../keys/format.ts';
import { generateKey } from '../../keys/service.ts';
import { operation } from '../operation.ts';

export const generateApiKey = operation({
  id: 'generateApiKey',
  method: 'POST',
  path: '/user/api-key/generate',
  tag: 'API key',
  summary: 'Generate or regenerate key',
  description:
    'Creates your key and returns it once. A previous key is revoked immediately. The first key is created with a session, or with `reelay keys create` on the server.',
  auth: 'caller',
  writes: true,
  response: z.object({ data: z.string().meta({ description: 'The key.' }) }),
  responseExample: { success: true, data: 'rly_7Gh2kQ0xV5mN8pRtYw3zA6bC9dE1fJ4hK2lM7nP04KtRjt' },
  errors: [],
  handle: async ({ db, signIn }, { caller }) => {
    const data = await db.transaction(async (tx) => {
      const key = await generateKey(tx, caller.userId);
      await signIn.notify(tx, caller.userId, { name: 'api_key_created', params: { key: shownPart(key) } });
      return key;
    });
    return { data };
  },
  audit: (_request, { data }) => ({ action: 'key.generate', subject: shownPart(data) }),
});
