import { z } from 'zod';
import { signInOperation } from '../../http/sign-in-operation.ts';
import { password } from './fields.ts';

export const createBackupCodes = signInOperation({
  id: 'createBackupCodes',
  method: 'POST',
  path: '/two-factor/generate-backup-codes',
  body: z.strictObject({ password }),
  guards: 'confirmPassword',
  action: 'second-factor.codes',
  mails: true,
});
