import { z } from 'zod';
import { signInOperation } from '../../http/sign-in-operation.ts';
import { asserted } from './passkey-fields.ts';

export const signInWithPasskey = signInOperation({
  id: 'signInWithPasskey',
  method: 'POST',
  path: '/passkey/verify-authentication',
  body: z.strictObject({ response: asserted }),
  guards: 'passkey',
});
