import { z } from 'zod';
import { endOtherSessions } from '../../users/session-store.ts';
import { operation } from '../operation.ts';

export const revokeOtherSessions = operation({
  id: 'revokeOtherSessions',
  method: 'POST',
  path: '/user/sessions/revoke-others',
  tag: 'User',
  summary: 'End all other sessions',
  description: 'Signs out all your sessions except the one of this request. Requires a session.',
  auth: 'session',
  writes: true,
  response: z.object({ revoked: z.number().int().meta({ description: 'How many sessions ended.' }) }),
  errors: [],
  async handle({ db }, { caller }) {
    const kept = caller.by.kind === 'session' ? caller.by.id : '';
    return { revoked: await endOtherSessions(db, caller.userId, kept) };
  },
  audit: ({ caller }) => ({ action: 'session.end', subject: caller.userId }),
});
