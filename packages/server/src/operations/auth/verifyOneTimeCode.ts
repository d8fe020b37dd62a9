import { z } from 'zod';
import { signInOperation } from '../../http/sign-in-operation.ts';
import { text } from './fields.ts';

export const verifyOneTimeCode = signInOperation({
  id: 'verifyOneTimeCode',
  method: 'POST',
  path: '/two-factor/verify-totp',
  body: z.strictObject({ code: text(20) }),
  guards: 'oneTimeCode',
  action: 'second-factor.enable',
});
