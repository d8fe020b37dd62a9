import { z } from 'zod';
import { signInOperation } from '../../http/sign-in-operation.ts';
import { password } from './fields.ts';

export const disableSecondFactor = signInOperation({
  id: 'disableSecondFactor',
  method: 'POST',
  path: '/two-factor/disable',
  body: z.strictObject({ password }),
  guards: 'confirmPassword',
  action: 'second-factor.disable',
  mails: true,
});
