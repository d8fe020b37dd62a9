import { z } from 'zod';
import { ReelayError } from '../../errors/reelay-error.ts';
import { idText } from '../../http/operation.ts';
import { isUuid } from '../../lib/ids.ts';
import { endSession } from '../../users/session-store.ts';
import { operation } from '../operation.ts';

export const revokeSession = operation({
  id: 'revokeSession',
  method: 'DELETE',
  path: '/user/sessions/{id}',
  tag: 'User',
  summary: 'End a session',
  description: 'Signs out one of your sessions, from the next request on. Requires a session.',
  auth: 'session',
  writes: true,
  params: z.object({ id: idText }),
  response: z.object({}),
  errors: ['unknown_session'],
  async handle({ db }, { caller, params }) {
    const ended = isUuid(params.id) && (await endSession(db, caller.userId, params.id));
    if (!ended) throw new ReelayError('unknown_session');
    return {};
  },
  audit: ({ params }) => ({ action: 'session.end', subject: params.id }),
});
