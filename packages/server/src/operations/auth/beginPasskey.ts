import { z } from 'zod';
import { signInOperation } from '../../http/sign-in-operation.ts';
import { password } from './fields.ts';

export const beginPasskey = signInOperation({
  id: 'beginPasskey',
  method: 'POST',
  path: '/passkey/generate-register-options',
  body: z.strictObject({ password }),
  guards: 'changePasskeys',
});
