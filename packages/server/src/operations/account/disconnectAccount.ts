import { z } from 'zod';
import { idText } from '../../http/operation.ts';
import { operation } from '../operation.ts';

export const disconnectAccount = operation({
  id: 'disconnectAccount',
  method: 'DELETE',
  path: '/accounts/{id}',
  tag: 'Platforms',
  summary: 'Disconnect an account',
  description:
    'Posts that have not started on the account become FAILED with `reconnect_required`; those that have started end with their real outcome. Rules with this source are deleted. If no other account uses the access, it is revoked at the platform. Requires a session.',
  auth: 'session',
  writes: true,
  params: z.object({ id: idText }),
  response: z.object({}),
  errors: ['unknown_platform'],
  async handle({ accounts }, { caller, params }) {
    await accounts.disconnect({ userId: caller.userId, accountId: params.id, actor: 'session' });
    return {};
  },
});
