import { z } from 'zod';
import { idText, operation } from '../../http/operation.ts';

export const disconnectAccount = operation({
  id: 'disconnectAccount',
  method: 'DELETE',
  path: '/accounts/{id}',
  tag: 'Platforms',
  summary: 'Disconnect an account',
  description:
    'What has not begun on it is FAILED with `reconnect_required`, what has begun ends truthfully, the rules that it is the source of go. With its last account an access is given back to the platform. With the dashboard’s session only.',
  auth: 'session',
  writes: true,
  params: z.object({ id: idText }),
  answer: z.object({}),
  errors: ['unknown_platform'],
  async handle({ accounts }, { caller, params }) {
    await accounts.disconnect({ userId: caller.userId, accountId: params.id, actor: 'session' });
    return {};
  },
});
