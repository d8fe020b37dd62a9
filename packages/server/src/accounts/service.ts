/** The accounts service: connecting, disconnecting, fresh tokens, sessions. Created once by the composition root. */
import { createDueLoop, type DueLoop } from '../due/loop.ts';
import { type Attempt, listAttempts, readAttempt } from './attempts.ts';
import type { ChosenValues } from './choosing.ts';
import { type Connecting, type ConnectRequest, connectSandbox, startConnect } from './connect.ts';
import { type ConsentVisit, cancelConsent, describeConsent } from './consent-request.ts';
import { type ConsentStep, finishChoice, finishConsent, startConsent } from './consents.ts';
import { disconnect } from './disconnect.ts';
import { publicDocument } from './documents.ts';
import { endGrant } from './ended.ts';
import { createAccountEvents } from './events.ts';
import { dueAccounts, refreshFacts } from './facts.ts';
import type { ConnectedAccount } from './finish.ts';
import { dueGrants } from './grant-store.ts';
import { createGrants, type Grants } from './grants.ts';
import { createPlatforms } from './platforms.ts';
import { createRenewedPairs } from './renewed-pairs.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { type ChoicesRequest, setChoices } from './set-choices.ts';
import { reachProblem } from './setup.ts';
import { listAccounts, loadAccounts } from './store.ts';
import type { Account, AccountsDependencies } from './types.ts';

export interface Accounts {
  startConnect(request: ConnectRequest): Promise<Connecting>;
  connectSandbox(request: {
    userId: string;
    platform: string;
    username: string;
    privacy: string;
    actor: string;
  }): Promise<ConnectedAccount[]>;
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
  reachProblem(platform: string): Promise<string | null>;
  disconnect(request: { userId: string; accountId: string; actor: string }): Promise<void>;
  /** Changes an account's platform settings. */
  setChoices(request: ChoicesRequest): Promise<void>;
  list(userId: string): Promise<Account[]>;
  load(ids: readonly string[]): Promise<Account[]>;
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

/** Longer than any job of these loops takes, in ms. */
const LEASE_MS = 60_000;

export function createAccounts(dependencies: AccountsDependencies): Accounts {
  const { db } = dependencies;
  const events = createAccountEvents(dependencies.log);
  const platforms = createPlatforms(dependencies);
  const pairs = createRenewedPairs({
    ...dependencies,
    onTrouble: events.pairNotWritten,
    onUnreadable: events.pairUnreadable,
  });
  const grants = createGrants({ ...dependencies, platforms, events, pairs });
  const needs = { ...dependencies, platforms, events, grants };
  const loop = <Job>(
    name: string,
    concurrency: number,
    part: Pick<Parameters<typeof createDueLoop<Job>>[0], 'claim' | 'run'>,
  ) => createDueLoop<Job>({ ...part, concurrency, onError: (error) => events.loopFailed(name, error) });
  const grantLoop = loop('grants', 8, {
    claim: (limit) => dueGrants.claim(db, { limit, leaseMs: LEASE_MS }),
    run: (claim) => (claim.row.ended_at ? endGrant(needs, claim) : grants.refreshAhead(claim)),
  });
  return {
    startConnect: (request) => startConnect(needs, request),
    connectSandbox: (request) => connectSandbox(needs, request),
    describeConsent: (request) => describeConsent(needs, request),
    cancelConsent: (request) => cancelConsent(needs, request),
    startConsent: (request) => startConsent(needs, request),
    finishConsent: (request) => finishConsent(needs, request),
    finishChoice: (request) => finishChoice(needs, request),
    async reachProblem(platform) {
      const endpoints = await platforms.endpoints(platform, false);
      return reachProblem({ ...platforms.connector(platform), endpoints }, dependencies.real.http.request);
    },
    attempts: (userId) => listAttempts(db, userId),
    attempt: (userId, id) => readAttempt(db, userId, id),
    async disconnect(request) {
      await disconnect(needs, request);
      grantLoop.wake();
    },
    setChoices: (request) => setChoices(dependencies, request),
    list: (userId) => listAccounts(db, userId),
    load: (ids) => loadAccounts(db, ids),
    sessions: createSessions(needs),
    grants,
    readLeftOver: pairs.readLeftOver,
    document: (path) => publicDocument(needs, path),
    loops: {
      grants: grantLoop,
      facts: loop('facts', 4, {
        claim: (limit) => dueAccounts.claim(db, { limit, leaseMs: LEASE_MS }),
        run: (claim) => refreshFacts(needs, claim),
      }),
    },
  };
}
