import { z } from 'zod';
import { signInOperation } from '../../http/sign-in-operation.ts';
import { text } from './fields.ts';

export const verifyBackupCode = signInOperation({
  id: 'verifyBackupCode',
  method: 'POST',
  path: '/two-factor/verify-backup-code',
  body: z.strictObject({ code: text(40) }),
  guards: 'backupCode',
});
