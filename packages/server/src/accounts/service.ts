/** The accounts service: connecting, disconnecting, fresh tokens, sessions. Created once by the composition root. */
import type { Config } from '../config/config.ts';
import type { App, AppCheck, Connector } from '../connectors/contract.ts';
import type { Database } from '../db/database.ts';
import { apiError } from '../errors/reelay-error.ts';
import type { Sealer } from '../lib/encryption/seal.ts';
import type { Log } from '../lib/log.ts';
import { MINUTE } from '../lib/time.ts';
import type { Message } from '../messages/message.ts';
import { createAddressGuard } from '../outbound/address-guard.ts';
import { createHttp, type Detour } from '../outbound/http-client.ts';
import { assertAccountsLeft } from '../plans/service.ts';
import { withLease } from '../queue/claim.ts';
import { createDueLoop, type DueLoop } from '../queue/loop.ts';
import { type Holder, holderOf } from '../queue/shares.ts';
import type { Storage } from '../storage/contract.ts';
import { listAccounts, loadAccounts } from './account-store.ts';
import { type Apps, createApps } from './apps/app-store.ts';
import { appNamesOf, checkApplication, checkApplications, reachProblem } from './apps/platform-setup.ts';
import { createPlatforms, type Platforms, publicDocument } from './apps/platforms.ts';
import type { ChosenValues } from './connect/account-selection.ts';
import type { ConnectedAccount } from './connect/account-writer.ts';
import { type Attempt, listAttempts, readAttempt } from './connect/attempt-store.ts';
import { type Connecting, type ConnectRequest, connectSandbox, startConnect } from './connect/connect-service.ts';
import { type ConsentStep, type ConsentVisit, cancelConsent, describeConsent } from './connect/consent-page.ts';
import { finishChoice, finishConsent, startConsent } from './connect/consent-service.ts';
import { disconnect } from './connect/disconnect-service.ts';
import {
  connectSandboxAccounts,
  type SandboxAccountsRequest,
  type SandboxConnectRequest,
} from './connect/sandbox-accounts.ts';
import { createAccountEvents, platformCalled } from './events.ts';
import { dueAccounts, refreshFacts, refreshNow } from './profile/profile-service.ts';
import { type ChoicesRequest, setChoices } from './settings/account-settings-service.ts';
import { createRenewedPairs } from './tokens/renewed-tokens.ts';
import { createSessions, type Sessions } from './tokens/session-service.ts';
import { endGrant } from './tokens/token-revocation.ts';
import { createGrants, type Grants } from './tokens/token-service.ts';
import { dueGrants } from './tokens/token-store.ts';
import type { Account, AccountsDependencies, Outbound, RulesOfAccounts, SandboxAccess } from './types.ts';

export interface Accounts {
  startConnect(request: ConnectRequest): Promise<Connecting>;
  connectSandbox(request: SandboxConnectRequest): Promise<ConnectedAccount[]>;
  /** As in {@link connectSandboxAccounts}. */
  connectSandboxAccounts(request: SandboxAccountsRequest): Promise<ConnectedAccount[]>;
  /** Describes what a connect link is for. Nothing happens until `startConsent` confirms it. */
  describeConsent(request: ConsentVisit): Promise<ConsentStep>;
  cancelConsent(request: ConsentVisit): Promise<ConsentStep>;
  startConsent(request: ConsentVisit & { browser: string | null }): Promise<ConsentStep>;
  finishConsent(request: { platform: string; query: URLSearchParams; browser: string | null }): Promise<ConsentStep>;
  finishChoice(request: {
    platform: string;
    token: string;
    remoteIds: readonly string[];
    choices: ChosenValues;
    browser: string | null;
  }): Promise<ConsentStep>;
  /** The user's latest attempts to connect, newest first. */
  attempts(userId: string): Promise<Attempt[]>;
  /**
   * One attempt.
   * @param userId null for any user
   */
  attempt(userId: string | null, id: string): Promise<Attempt | undefined>;
  /** Why a platform cannot be reached from here, or null. */
  reachProblem(platform: string): Promise<Message | null>;
  /** Asks a platform whether the configured applications are valid. Results by name. */
  checkApplications(platform: string): Promise<Record<string, AppCheck>>;
  /**
   * Asks a platform whether an application is valid.
   * @param request.app null: the one that is set
   * @throws ReelayError `not_found` if the platform has no such application, or none is set
   */
  checkApplication(request: { platform: string; name: string; app: App | null }): Promise<AppCheck>;
  disconnect(request: { userId: string; accountId: string; actor: string }): Promise<void>;
  /** Changes an account's platform settings. */
  setChoices(request: ChoicesRequest): Promise<void>;
  /** Reads an account's facts from the platform. Never rejects for a failure there. @returns whether it responded */
  refresh(accountId: string): Promise<boolean>;
  list(userId: string): Promise<Account[]>;
  load(ids: readonly string[]): Promise<Account[]>;
  /** Base URLs of a platform, or of its simulator. */
  endpoints: Platforms['endpoints'];
  /** Called by the publishing engine. */
  sessions: Sessions;
  grants: Grants;
  /**
   * Writes renewed tokens that an earlier process could not write. Never rejects.
   * @returns how many were written
   */
  readLeftOver(): Promise<number>;
  /** A document that platforms read from us (`/oauth/jwks.json`), or null. */
  document(path: string): Promise<Record<string, unknown> | null>;
  /** Loops that refresh and revoke grants, and that refresh account facts daily. Not started yet. */
  loops: { grants: DueLoop; facts: DueLoop };
}

/** In ms. Jobs renew it: each makes several requests. */
const LEASE_MS = MINUTE;
/** Total time of a job in ms: each request has a time limit of its own. */
const WITHIN_MS = 15 * MINUTE;

export function createAccounts(dependencies: AccountsDependencies): Accounts {
  const { db } = dependencies;
  const events = createAccountEvents(dependencies.log);
  const platforms = createPlatforms(dependencies);
  const pairs = createRenewedPairs({
    ...dependencies,
    onError: events.pairNotWritten,
    onUnreadable: events.pairUnreadable,
  });
  const grants = createGrants({ ...dependencies, platforms, events, pairs });
  const needs = { ...dependencies, platforms, events, grants };
  const loop = <Job extends Holder>(
    name: string,
    concurrency: number,
    part: Pick<Parameters<typeof createDueLoop<Job>>[0], 'claim' | 'run'>,
  ) =>
    createDueLoop<Job>({
      ...part,
      holder: holderOf,
      concurrency,
      withinMs: WITHIN_MS,
      onError: (error) => events.loopFailed(name, error),
    });
  const grantLoop = loop('grants', 8, {
    claim: (limit, limits) => dueGrants.claim(db, { limit, leaseMs: LEASE_MS, limits }),
    run: (claim) =>
      withLease(db, dueGrants, claim, {
        leaseMs: LEASE_MS,
        withinMs: WITHIN_MS,
        run: () => (claim.row.ended_at ? endGrant(needs, claim) : grants.refreshAhead(claim)),
        onError: (error) => events.loopFailed('grants', error),
      }),
  });
  const ids = Object.keys(dependencies.connectors);
  const connectOne = (request: SandboxConnectRequest) => connectSandbox(needs, request);
  return {
    startConnect: (request) => startConnect(needs, request),
    connectSandbox: connectOne,
    connectSandboxAccounts: (request) => connectSandboxAccounts({ db, platforms: ids, connect: connectOne }, request),
    describeConsent: (request) => describeConsent(needs, request),
    cancelConsent: (request) => cancelConsent(needs, request),
    startConsent: (request) => startConsent(needs, request),
    finishConsent: (request) => finishConsent(needs, request),
    finishChoice: (request) => finishChoice(needs, request),
    async reachProblem(platform) {
      const endpoints = await platforms.endpoints(platform, false);
      return reachProblem({ ...platforms.connector(platform), endpoints }, dependencies.real.http.request);
    },
    async checkApplications(platform) {
      const endpoints = await platforms.endpoints(platform, false);
      const { apps, real } = dependencies;
      return checkApplications(platforms.connector(platform), { apps, http: real.http.request, endpoints });
    },
    async checkApplication({ platform, name, app }) {
      const connector = platforms.connector(platform);
      const names = appNamesOf(connector);
      if (!names.includes(name))
        throw apiError('application_unknown', { name: name.slice(0, 50), allowed: names.join(', ') || 'none' });
      const checked = app ?? dependencies.apps.find(name);
      if (!checked) throw apiError('application_not_stored');
      const endpoints = await platforms.endpoints(platform, false);
      return checkApplication(connector, { http: dependencies.real.http.request, endpoints }, name, checked);
    },
    attempts: (userId) => listAttempts(db, userId),
    attempt: (userId, id) => readAttempt(db, userId, id),
    async disconnect(request) {
      await disconnect(needs, request);
      grantLoop.wake();
    },
    setChoices: (request) => setChoices(dependencies, request),
    refresh: (accountId) => refreshNow(needs, accountId),
    list: (userId) => listAccounts(db, userId),
    load: (ids) => loadAccounts(db, ids),
    endpoints: platforms.endpoints,
    sessions: createSessions(needs),
    grants,
    readLeftOver: pairs.readLeftOver,
    document: (path) => publicDocument(needs, path),
    loops: {
      grants: grantLoop,
      facts: loop('facts', 8, {
        claim: (limit, limits) => dueAccounts.claim(db, { limit, leaseMs: LEASE_MS, limits }),
        run: (claim) =>
          withLease(db, dueAccounts, claim, {
            leaseMs: LEASE_MS,
            withinMs: WITHIN_MS,
            run: () => refreshFacts(needs, claim),
            onError: (error) => events.loopFailed('facts', error),
          }),
      }),
    },
  };
}

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
  rules: RulesOfAccounts;
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
      detour,
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
