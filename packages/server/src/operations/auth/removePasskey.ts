import { z } from 'zod';
import { signInOperation } from '../../http/sign-in-operation.ts';
import { password, text } from './fields.ts';

export const removePasskey = signInOperation({
  id: 'removePasskey',
  method: 'POST',
  path: '/passkey/delete-passkey',
  body: z.strictObject({ id: text(36), password }),
  guards: 'changePasskeys',
  action: 'passkey.remove',
});
