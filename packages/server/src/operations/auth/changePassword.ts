import { z } from 'zod';
import { signInOperation } from '../../http/sign-in-operation.ts';
import { password } from './fields.ts';

export const changePassword = signInOperation({
  id: 'changePassword',
  method: 'POST',
  path: '/change-password',
  body: z.strictObject({
    currentPassword: password,
    newPassword: password,
    revokeApiKey: z.boolean().optional(),
    /** Default: false. */
    revokePasskeys: z.boolean().optional(),
    // Other sessions always end; clients of better-auth may send this field anyway.
    revokeOtherSessions: z.boolean().optional(),
  }),
  guards: 'changePassword',
  action: 'password.change',
});
