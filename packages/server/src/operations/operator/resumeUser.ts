import { z } from 'zod';
import { idText } from '../../http/operation.ts';
import { resume } from '../../operator/users.ts';
import { operation } from '../operation.ts';

export const resumeUser = operation({
  id: 'resumeUser',
  method: 'POST',
  path: '/operator/users/{id}/resume',
  tag: 'Operator',
  summary: 'Resume a user',
  description: 'Accepts requests of a suspended user again. Requires a session of the operator.',
  auth: 'operator-session',
  writes: true,
  params: z.object({ id: idText }),
  response: z.object({}),
  errors: ['unknown_user'],
  async handle({ db }, { params }) {
    await resume(db, params.id);
    return {};
  },
  audit: ({ params }) => ({ action: 'user.resume', subject: params.id }),
});
