import { z } from 'zod';
import { revokeKey } from '../../keys/service.ts';
import { operation } from '../operation.ts';

export const revokeApiKey = operation({
  id: 'revokeApiKey',
  method: 'POST',
  path: '/user/api-key/revoke',
  tag: 'API key',
  summary: 'Revoke key',
  description: 'Revokes the key immediately. With a session, revoking a revoked key succeeds.',
  auth: 'caller',
  writes: true,
  response: z.object({}),
  errors: ['no_api_key'],
  handle: async ({ db }, { caller }) => {
    await revokeKey(db, caller.userId);
    return {};
  },
  audit: ({ caller }) => ({ action: 'key.revoke', subject: caller.userId }),
});
