/** Wires up the accounts service for the running server or a command. */
import type { Config } from '../config/config.ts';
import type { Connector } from '../connectors/contract.ts';
import { createAddressGuard } from '../connectors/kit/address-guard.ts';
import { createHttp, type Detour } from '../connectors/kit/http.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../log.ts';
import { assertAccountsLeft } from '../plans/service.ts';
import type { Sealer } from '../seal.ts';
import type { Storage } from '../storage/contract.ts';
import { type Apps, createApps } from './apps.ts';
import { platformCalled } from './events.ts';
import { type Accounts, createAccounts } from './service.ts';
import type { Outbound, SandboxAccess } from './types.ts';

export interface WiredAccounts {
  accounts: Accounts;
  /** Not loaded from the database yet: call `refresh`. */
  apps: Apps;
  /** The outbound clients for real accounts and for sandbox accounts. */
  outbound(sandbox: boolean): Outbound;
  close(): void;
}

/** @param needs.config configuration with the addresses that are final once the service listens */
export function wireAccounts(needs: {
  config: Config;
  /** Connectors by name: all of them, or for a command only those that it uses. */
  connectors: Readonly<Record<string, Connector>>;
  db: Database;
  sealer: Sealer;
  storage: Storage;
  log: Log;
  sandbox: SandboxAccess | null;
  /** Called with the number of bytes that uploads to platforms took through memory. */
  used?: (bytes: number) => void;
}): WiredAccounts {
  const { config, sandbox, log, used, ...parts } = needs;
  const apps = createApps(needs, config.apps);
  // Only simulated accounts may reach this service itself. A server that a user names must never resolve to it.
  const leave = (ownOrigins: string[], detour?: Detour): Outbound => {
    const guard = createAddressGuard(config.allowedPrivateHosts, ownOrigins);
    const observe = platformCalled(log);
    return {
      guard,
      http: createHttp({ guard, detour, observe, used, userAgent: `Reelay (${config.publicUrl})` }),
    };
  };
  const real = leave([]);
  const simulated = leave(sandbox ? [new URL(sandbox.origin()).origin] : [], detourTo(sandbox));
  const accounts = createAccounts({
    ...parts,
    real,
    simulated,
    sandbox,
    publicUrl: config.publicUrl,
    dataDir: config.dataDir,
    apps,
    settings: config.settings,
    plans: { assertAccountsLeft: (tx, userId) => assertAccountsLeft(tx, config.plans, userId) },
    log,
    now: Date.now,
  });
  return {
    accounts,
    apps,
    outbound: (inSandbox) => (inSandbox ? simulated : real),
    close() {
      real.http.close();
      simulated.http.close();
    },
  };
}

function detourTo(sandbox: SandboxAccess | null): Detour | undefined {
  if (!sandbox) return undefined;
  return { below: `${sandbox.origin()}/sandbox/`, port: sandbox.door, headers: sandbox.headers };
}
