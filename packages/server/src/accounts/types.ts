import type { PlatformSettings } from '../config/settings.ts';
import type { App, Connector, Endpoints, JsonObject } from '../connectors/contract.ts';
import type { Database, Transaction } from '../db/database.ts';
import type { Sealer } from '../lib/encryption/seal.ts';
import type { Log } from '../lib/log.ts';
import type { AddressGuard } from '../outbound/address-guard.ts';
import type { Detour, ManagedHttp } from '../outbound/http-client.ts';
import type { Failure } from '../outbound/platform-error.ts';
import type { Storage } from '../storage/contract.ts';
import type { StoredValues } from './settings/account-settings.ts';

/** Only reconnecting fixes these. `EXPIRED`: the access has ended. `REVOKED`: the platform reports it as revoked. */
export type EndedStatus = 'EXPIRED' | 'REVOKED';

/** `DISCONNECTED`: removed by the user here. */
export type AccountStatus = 'CONNECTED' | EndedStatus | 'DISCONNECTED';

/** The account status after a failure that the user must fix. `REVOKED` only if the platform itself reports it. */
export function endedBy(failure: Failure): EndedStatus {
  return failure.kind === 'reconnect' && failure.revoked ? 'REVOKED' : 'EXPIRED';
}

/** The simulated platforms, as needed for connecting. Null if the sandbox is off. */
export interface SandboxAccess {
  /** Public origin of the simulators, without a trailing slash: `http://127.0.0.1:3000`. */
  origin(): string;
  /** Port on 127.0.0.1 through which this process calls them. If absent, it uses their public address. */
  door?: number;
  /** Headers by which the simulators recognize calls from our own processes. */
  headers?: Readonly<Record<string, string>>;
  /** The application that every simulator accepts. */
  app: { clientId: string; clientSecret: string };
  /** Endpoints of a platform on the simulator at `baseUrl`; null if there is no such simulator. */
  endpoints(platform: string, baseUrl: string): Promise<Endpoints> | null;
  /** Creates or finds an account at a simulated platform. */
  enrol(platform: string, username: string): Promise<EnrolledAccount>;
}

/** What an account at a simulated platform is opened with: the token endpoint's response, or a login. */
export interface EnrolledAccount {
  tokenAnswer: JsonObject | null;
  credentials: { identifier: string; secret: string } | null;
}

/** How calls leave this process: one client for real platforms, one that may also reach our own simulators. */
export interface Outbound {
  http: ManagedHttp;
  guard: AddressGuard;
  detour?: Detour | undefined;
}

/** What connecting needs from the plans. */
export interface AccountPlans {
  /**
   * Call it in the transaction that adds an account.
   * @throws ReelayError `plan_limit_reached`
   */
  assertAccountsLeft(tx: Transaction, userId: string): Promise<void>;
}

/** What disconnecting needs from the rules. */
export interface RulesOfAccounts {
  /** Returns the identities that this account's rules have queued reposts for. */
  queuedBy(tx: Transaction, accountId: string): Promise<string[]>;
  /**
   * Deletes the account's rules, and the account from the destinations of others.
   * @param account.lanes identities whose lanes are locked
   * @returns false if reposts are queued for other identities too; then the transaction must not be committed
   */
  remove(tx: Transaction, account: { userId: string; accountId: string; lanes: readonly string[] }): Promise<boolean>;
}

export interface AccountsDependencies {
  db: Database;
  sealer: Sealer;
  storage: Storage;
  /** Folder for renewed tokens that the database cannot store yet. */
  dataDir: string;
  connectors: Readonly<Record<string, Connector>>;
  real: Outbound;
  /** Used for sandbox accounts only. */
  simulated: Outbound;
  sandbox: SandboxAccess | null;
  /** Without a trailing slash. */
  publicUrl: string;
  /** The operator's applications by the prefix of their variables. */
  apps: { find(name: string): App | null };
  /** The operator's settings per platform; not used for simulators. */
  settings: PlatformSettings;
  plans: AccountPlans;
  rules: RulesOfAccounts;
  log: Log;
  /** Ms since the epoch. */
  now(): number;
}

/** An account as the rest of the service sees it. */
export interface Account {
  id: string;
  userId: string;
  identityId: string;
  grantId: string | null;
  platform: string;
  /** The account's server, for platforms with many; else "". */
  service: string;
  remoteId: string;
  username: string;
  displayName: string;
  /** File name of our copy of the profile picture, or null. */
  avatar: string | null;
  status: AccountStatus;
  sandbox: boolean;
  capabilities: Connector['capabilities'];
  /** The owner's choices, by name. */
  choices: Record<string, string>;
  /** The values that this account may choose from, by name. */
  choiceValues: StoredValues;
  extra: JsonObject;
  connectedAt: Date;
}

export type Outcome<T> = ({ ok: true } & T) | { ok: false; failure: Failure };

export const refused = (failure: Failure): { ok: false; failure: Failure } => ({ ok: false, failure });
