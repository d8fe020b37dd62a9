import type { Environment } from '@reelay/server/config/env.ts';
import { reseal } from '@reelay/server/maintenance/reseal.ts';
import { createSealer } from '@reelay/server/seal.ts';
import { line } from '../output.ts';
import { withLocal } from './open.ts';

/** Re-encrypts with SECRET_KEY what was encrypted with SECRET_KEY_PREVIOUS. */
export async function rotate(env: Environment): Promise<void> {
  await withLocal(env, async ({ config, db, secrets }) => {
    const done = await reseal(db, createSealer(secrets.sealing), config.dataDir);
    for (const { what, renewed, lost } of done)
      line(`${what}: ${renewed} renewed${lost > 0 ? `, ${lost} that no key opens` : ''}`);
    const lost = done.reduce((sum, each) => sum + each.lost, 0);
    if (lost > 0)
      throw new Error(`${lost} values are sealed by a key that is not here: their accounts must be connected again.`);
    line(`Everything is sealed by key ${secrets.fingerprint}. SECRET_KEY_PREVIOUS is not needed any more.`);
  });
}
