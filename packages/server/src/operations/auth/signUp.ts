import { z } from 'zod';
import { signInOperation } from '../../http/sign-in-operation.ts';
import { email, password, text } from './fields.ts';

export const signUp = signInOperation({
  id: 'signUp',
  method: 'POST',
  path: '/sign-up/email',
  body: z.strictObject({ email, password, name: text(100) }),
  guards: 'signUp',
});
