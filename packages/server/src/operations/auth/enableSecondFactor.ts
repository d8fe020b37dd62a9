import { z } from 'zod';
import { signInOperation } from '../../http/sign-in-operation.ts';
import { password } from './fields.ts';

export const enableSecondFactor = signInOperation({
  id: 'enableSecondFactor',
  method: 'POST',
  path: '/two-factor/enable',
  body: z.strictObject({ password }),
  guards: 'confirmPassword',
});
