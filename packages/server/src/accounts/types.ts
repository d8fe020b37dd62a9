import type { PlatformSettings } from '../config/settings.ts';
import type { Connector, Endpoints, JsonObject } from '../connectors/contract.ts';
import type { AddressGuard } from '../connectors/kit/address-guard.ts';
import type { Failure } from '../connectors/kit/failure.ts';
import type { ManagedHttp } from '../connectors/kit/http.ts';
import type { SimulatedAccount } from '../connectors/kit/simulator.ts';
import type { Database, Transaction } from '../db/database.ts';
import type { Log } from '../log.ts';
import type { Sealer } from '../seal.ts';
import type { Storage } from '../storage/contract.ts';
import type { Apps } from './apps.ts';
import type { StoredValues } from './choices.ts';

/** Only connecting again mends these. `EXPIRED`: the access has ended. `REVOKED`: it was taken away at the platform. */
export type EndedStatus = 'EXPIRED' | 'REVOKED';

/** `DISCONNECTED`: removed here. */
export type AccountStatus = 'CONNECTED' | EndedStatus | 'DISCONNECTED';

/** What a failure that the user must mend makes of the account: only the platform's own word for it is `REVOKED`. */
export function endedBy(failure: Failure): EndedStatus {
  return failure.kind === 'reconnect' && failure.revoked ? 'REVOKED' : 'EXPIRED';
}

/** The simulated platforms, as far as connecting needs them. Null where the sandbox is off. */
export interface SandboxAccess {
  /** Where the simulators are for everybody, without a final slash: `http://127.0.0.1:3000`. */
  origin(): string;
  /** Port of 127.0.0.1 through which this process calls them; absent: at their address, like everybody. */
  door?: number;
  /** By which calls of our processes are known to the simulators. */
  headers?: Readonly<Record<string, string>>;
  /** The application that every simulator knows. */
  app: { clientId: string; clientSecret: string };
  /** Base addresses of a platform's connector, on the simulator at `baseUrl`; null where there is none of it. */
  endpoints(platform: string, baseUrl: string): Promise<Endpoints> | null;
  /** Makes (or finds) an account at a simulated platform. */
  enrol(platform: string, username: string): Promise<SimulatedAccount>;
}

/** How calls leave this process: one way for real platforms, one that may also reach our own simulators. */
export interface Outbound {
  http: ManagedHttp;
  guard: AddressGuard;
}

/** What connecting needs of the plans. */
export interface AccountPlans {
  /** Call it inside the transaction that adds one. @throws ReelayError `plan_limit_reached` */
  assertAccountsLeft(tx: Transaction, userId: string): Promise<void>;
}

export interface AccountsDependencies {
  db: Database;
  sealer: Sealer;
  storage: Storage;
  /** Where renewed tokens are kept that the database does not take yet. */
  dataDir: string;
  connectors: Readonly<Record<string, Connector>>;
  real: Outbound;
  /** Used for sandbox accounts only. */
  simulated: Outbound;
  sandbox: SandboxAccess | null;
  /** Without a final slash. */
  publicUrl: string;
  /** The operator's applications by the first part of their variables' names. */
  apps: Pick<Apps, 'find'>;
  /** What the operator says for one platform alone; not for its simulator. */
  settings: PlatformSettings;
  plans: AccountPlans;
  log: Log;
  /** ms since the epoch */
  now(): number;
}

/** An account as the rest of the service sees it. */
export interface Account {
  id: string;
  userId: string;
  identityId: string;
  grantId: string | null;
  platform: string;
  /** Server of the account, where a platform has many; else "". */
  service: string;
  remoteId: string;
  username: string;
  displayName: string;
  /** Name of our copy of the picture, or null. */
  avatar: string | null;
  status: AccountStatus;
  sandbox: boolean;
  capabilities: Connector['capabilities'];
  /** Choices that the owner made, by name. */
  choices: Record<string, string>;
  /** What this account may choose from, by name. */
  choiceValues: StoredValues;
  extra: JsonObject;
  connectedAt: Date;
}

export type Outcome<T> = ({ ok: true } & T) | { ok: false; failure: Failure };

export const refused = (failure: Failure): { ok: false; failure: Failure } => ({ ok: false, failure });
