import { z } from 'zod';
import { ReelayError } from '../../errors/reelay-error.ts';
import { idText } from '../../http/operation.ts';
import { operation } from '../operation.ts';
import { attempt, shownAttempt } from './listAttempts.ts';

export const getAttempt = operation({
  id: 'getAttempt',
  method: 'GET',
  path: '/accounts/attempts/{id}',
  tag: 'Platforms',
  summary: 'One connect attempt',
  description: 'Returns your own attempts; the operator can read those of all users. Requires a session.',
  auth: 'session',
  writes: false,
  params: z.object({ id: idText }),
  response: z.object({ data: attempt }),
  errors: ['not_found'],
  async handle({ accounts, renderMessage }, { caller, params }) {
    const found = await accounts.attempt(caller.operator ? null : caller.userId, params.id);
    if (!found) throw new ReelayError('not_found');
    return { data: shownAttempt(found, renderMessage) };
  },
});
