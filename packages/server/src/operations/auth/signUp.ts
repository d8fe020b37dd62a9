import { z } from 'zod';
import { text } from '../../http/operation.ts';
import { signInOperation } from '../../http/sign-in-operation.ts';
import { email, password } from './fields.ts';

export const signUp = signInOperation({
  id: 'signUp',
  method: 'POST',
  path: '/sign-up/email',
  body: z.strictObject({ email, password, name: text(100) }),
  guards: 'signUp',
});
