import { z } from 'zod';
import { timestamp } from '../../http/operation.ts';
import { signInOperation } from '../../http/sign-in-operation.ts';
import { nothing } from './fields.ts';
import { signedInUser } from './signed-in-user.ts';

const session = z.object({ expiresAt: timestamp }).meta({ id: 'Session' });

export const getSession = signInOperation({
  id: 'getSession',
  method: 'GET',
  path: '/get-session',
  body: nothing,
  guards: null,
  document: {
    summary: 'The current session',
    description: 'Returns the session and user of the cookie, or `null`.',
    session: 'optional',
    success: {
      description: 'The session, or `null` without a valid session.',
      content: z.union([z.object({ session, user: signedInUser }), z.null()]),
    },
  },
});
