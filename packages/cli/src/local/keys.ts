import { writeAudit } from '@reelay/server/audit/write-audit.ts';
import type { Environment } from '@reelay/server/config/env.ts';
import { shownPart } from '@reelay/server/keys/format.ts';
import { describeKey, generateKey } from '@reelay/server/keys/service.ts';
import { queueSecurityMail } from '@reelay/server/users/security-mail-store.ts';
import { getUser } from '@reelay/server/users/service.ts';
import { TEXT } from '../messages.ts';
import { line, note } from '../output.ts';
import { withLocal } from './open.ts';

/** Prints only the key on standard output. A replaced key is reported on standard error. */
export async function createKey(env: Environment, email: string): Promise<void> {
  await withLocal(env, async ({ db }) => {
    const { id } = await getUser(db, email);
    const { key, replaced } = await db.transaction(async (tx) => {
      const before = await describeKey(tx, id).catch((error: unknown) => {
        if ((error as { code?: unknown }).code === 'no_api_key') return null;
        throw error;
      });
      const key = await generateKey(tx, id);
      await writeAudit(tx, { userId: id, actor: 'command line', action: 'key.generate', subject: shownPart(key) });
      await queueSecurityMail(tx, id, { name: 'api_key_created', params: { key: shownPart(key) } });
      return { key, replaced: before?.isActive ? before.keyPrefix : null };
    });
    if (replaced !== null) note(TEXT.keyReplaced(replaced));
    line(key);
  });
}
