import { z } from 'zod';
import { idText } from '../../http/operation.ts';
import { suspend } from '../../operator/users.ts';
import { operation } from '../operation.ts';

export const suspendUser = operation({
  id: 'suspendUser',
  method: 'POST',
  path: '/operator/users/{id}/suspend',
  tag: 'Operator',
  summary: 'Suspend a user',
  description:
    'Rejects all further requests of the user and ends the sessions. Scheduled posts are still published. Requires a session of the operator.',
  auth: 'operator-session',
  writes: true,
  params: z.object({ id: idText }),
  response: z.object({}),
  errors: ['unknown_user', 'not_suspendable'],
  async handle({ db }, { params }) {
    await suspend(db, params.id);
    return {};
  },
  audit: ({ params }) => ({ action: 'user.suspend', subject: params.id }),
});
