import { z } from 'zod';
import { signInOperation } from '../../http/sign-in-operation.ts';
import { password } from './fields.ts';

export const deleteUser = signInOperation({
  id: 'deleteUser',
  method: 'POST',
  path: '/delete-user',
  body: z.strictObject({ password }),
  guards: 'deleteUser',
});
