import type { Environment } from '@reelay/server/config/env.ts';
import { createSealer } from '@reelay/server/lib/encryption/seal.ts';
import { reseal } from '@reelay/server/maintenance/reseal.ts';
import { resealSecondFactors } from '@reelay/server/users/second-factor.ts';
import { ERROR, TEXT } from '../messages.ts';
import { line } from '../output.ts';
import { withLocal } from './open.ts';

/** Re-encrypts with SECRET_KEY what was encrypted with SECRET_KEY_PREVIOUS. */
export async function rotate(env: Environment): Promise<void> {
  await withLocal(env, async ({ config, db, secrets }) => {
    const done = await reseal(db, createSealer(secrets.sealing), config.dataDir);
    done.push(await resealSecondFactors(db, secrets));
    for (const { what, renewed, lost } of done) line(TEXT.reencrypted(what, renewed, lost));
    const lost = done.reduce((sum, each) => sum + each.lost, 0);
    if (lost > 0) throw new Error(ERROR.undecryptable(lost));
    line(TEXT.allReencrypted(secrets.fingerprint));
  });
}
