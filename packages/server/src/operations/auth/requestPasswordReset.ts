import { z } from 'zod';
import { signInOperation } from '../../http/sign-in-operation.ts';
import { email } from './fields.ts';

export const requestPasswordReset = signInOperation({
  id: 'requestPasswordReset',
  method: 'POST',
  path: '/request-password-reset',
  body: z.strictObject({ email }),
  guards: 'requestReset',
});
