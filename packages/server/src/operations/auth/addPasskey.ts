import { z } from 'zod';
import { signInOperation } from '../../http/sign-in-operation.ts';
import { registered } from './passkey-fields.ts';

export const addPasskey = signInOperation({
  id: 'addPasskey',
  method: 'POST',
  path: '/passkey/verify-registration',
  body: z.strictObject({ response: registered }),
  guards: 'addPasskey',
  action: 'passkey.add',
  mails: true,
});
