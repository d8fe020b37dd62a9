/** Gives commands the accounts service without the rest of the server. Only the connector of one platform is loaded. */
import { type Accounts, wireAccounts } from '@reelay/server/accounts/service.ts';
import type { SandboxAccess } from '@reelay/server/accounts/types.ts';
import type { Environment } from '@reelay/server/config/env.ts';
import { apiError } from '@reelay/server/errors/reelay-error.ts';
import { createSealer } from '@reelay/server/lib/encryption/seal.ts';
import { createLog, type Log } from '@reelay/server/lib/log.ts';
import { RULES_OF_ACCOUNTS } from '@reelay/server/reposts/rules-of-accounts.ts';
import type { Storage } from '@reelay/server/storage/contract.ts';
import { createDiskStorage } from '@reelay/server/storage/disk.ts';
import { connectorsFor } from './connectors.ts';
import { type Local, withLocal } from './open.ts';

/** A silent log: commands write only their own output. */
export function silence(): Log {
  return createLog({ level: 'silent', pretty: false });
}

/**
 * Runs work with the accounts service.
 * @param of.sandbox if true, the simulator runs inside this process, whether or not the service runs
 */
export function withAccounts<T>(
  env: Environment,
  of: { platform: string; sandbox: boolean },
  work: (accounts: Accounts, local: Local) => Promise<T>,
): Promise<T> {
  return withLocal(env, async (local) => {
    const { config, secrets, db } = local;
    const log = silence();
    const storage = await createDiskStorage(config.storageFolder);
    const sandbox = of.sandbox && config.sandbox ? await openSimulators({ ...local, storage, log }) : null;
    const connectors = await connectorsFor(of.platform);
    const sealer = createSealer(secrets.sealing);
    const wired = wireAccounts({
      config,
      connectors,
      db,
      sealer,
      storage,
      log,
      sandbox: sandbox?.access ?? null,
      rules: RULES_OF_ACCOUNTS,
    });
    try {
      await wired.apps.refresh();
      return await work(wired.accounts, local);
    } finally {
      wired.close();
      await sandbox?.stop();
    }
  });
}

/** Runs work with the simulated platforms, whether or not the service runs. @throws Error if the sandbox is disabled */
export function withSimulators<T>(env: Environment, work: (sandbox: SandboxAccess) => Promise<T>): Promise<T> {
  return withLocal(env, async (local) => {
    if (!local.config.sandbox) throw apiError('sandbox_off');
    const storage = await createDiskStorage(local.config.storageFolder);
    const sandbox = await openSimulators({ ...local, storage, log: silence() });
    try {
      return await work(sandbox.access);
    } finally {
      await sandbox.stop();
    }
  });
}

async function openSimulators({ config, secrets, ...needs }: Local & { storage: Storage; log: Log }) {
  const { openSandbox } = await import('@reelay/server/sandbox/open.ts');
  const signIn = { session: async () => null };
  const { publicUrl, listen, storageFolder, leastFreeBytes } = config;
  const places = { publicUrl, listen, storageFolder, leastFreeBytes };
  return openSandbox({ ...needs, ...places, signIn, linkKey: secrets.links, serves: true });
}
