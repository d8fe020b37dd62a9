/** What connects accounts, without the rest of the service. */
import { type WiredAccounts, wireAccounts } from '@reelay/server/accounts/wiring.ts';
import type { Environment } from '@reelay/server/config/env.ts';
import { openSandbox } from '@reelay/server/sandbox/open.ts';
import { createSealer } from '@reelay/server/seal.ts';
import { createDiskStorage } from '@reelay/server/storage/disk.ts';
import { type Local, withLocal } from './open.ts';

/** Runs with the accounts of the service; simulators are served inside this process, whether or not the service runs. */
export function withAccounts<T>(
  env: Environment,
  work: (wired: WiredAccounts, local: Local) => Promise<T>,
): Promise<T> {
  return withLocal(env, async (local) => {
    const { config, secrets, db, log } = local;
    const storage = await createDiskStorage(config.storageFolder);
    const nobody = { session: async () => null };
    const { publicUrl } = config;
    const linkKey = secrets.links;
    const sandbox = config.sandbox
      ? await openSandbox({ db, storage, log, signIn: nobody, publicUrl, linkKey, serves: true })
      : null;
    const sealer = createSealer(secrets.sealing);
    const wired = wireAccounts({ config, db, sealer, storage, log, sandbox: sandbox?.access ?? null });
    try {
      await wired.apps.refresh();
      return await work(wired, local);
    } finally {
      wired.close();
      await sandbox?.stop();
    }
  });
}
