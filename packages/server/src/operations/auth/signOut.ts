import { z } from 'zod';
import { signInOperation } from '../../http/sign-in-operation.ts';
import { nothing } from './fields.ts';

export const signOut = signInOperation({
  id: 'signOut',
  method: 'POST',
  path: '/sign-out',
  body: nothing,
  guards: null,
  document: {
    summary: 'Sign out',
    description: 'Ends the session of the cookie. Send the body `{}`.',
    session: 'required',
    body: z.object({}),
    success: {
      description: 'Signed out.',
      cookie: 'Removes the cookie.',
      content: z.object({ success: z.literal(true) }),
    },
  },
});
