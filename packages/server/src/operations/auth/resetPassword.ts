import { z } from 'zod';
import { text } from '../../http/operation.ts';
import { signInOperation } from '../../http/sign-in-operation.ts';
import { password } from './fields.ts';

export const resetPassword = signInOperation({
  id: 'resetPassword',
  method: 'POST',
  path: '/reset-password',
  body: z.strictObject({
    token: text(100),
    newPassword: password,
    revokeApiKey: z.boolean().optional(),
    /** Default: false, because who resets a password may have lost it to somebody else. */
    keepPasskeys: z.boolean().optional(),
  }),
  guards: 'resetPassword',
});
