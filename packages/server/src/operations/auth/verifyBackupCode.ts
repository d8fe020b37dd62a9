import { z } from 'zod';
import { text } from '../../http/operation.ts';
import { signInOperation } from '../../http/sign-in-operation.ts';

export const verifyBackupCode = signInOperation({
  id: 'verifyBackupCode',
  method: 'POST',
  path: '/two-factor/verify-backup-code',
  body: z.strictObject({ code: text(40) }),
  guards: 'backupCode',
});
