import { z } from 'zod';
import { text } from '../../http/operation.ts';
import { signInOperation } from '../../http/sign-in-operation.ts';
import { password } from './fields.ts';

export const removePasskey = signInOperation({
  id: 'removePasskey',
  method: 'POST',
  path: '/passkey/delete-passkey',
  body: z.strictObject({ id: text(36), password }),
  guards: 'changePasskeys',
  action: 'passkey.remove',
});
