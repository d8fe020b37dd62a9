import { z } from 'zod';
import { text } from '../../http/operation.ts';
import { signInOperation } from '../../http/sign-in-operation.ts';

export const verifyOneTimeCode = signInOperation({
  id: 'verifyOneTimeCode',
  method: 'POST',
  path: '/two-factor/verify-totp',
  body: z.strictObject({ code: text(20) }),
  guards: 'oneTimeCode',
  action: 'second-factor.enable',
});
