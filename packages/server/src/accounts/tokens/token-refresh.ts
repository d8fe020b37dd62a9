/** Performs one refresh of one grant. The caller holds the grant's lease. */
import type { JsonObject, Tokens } from '../../connectors/contract.ts';
import { say } from '../../messages/timeline.ts';
import { type HttpClient, type ManagedHttp, NetworkError } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import type { Platforms } from '../apps/platforms.ts';
import type { AccountEvents } from '../events.ts';
import { failureOf } from '../failures.ts';
import { type AccountsDependencies, endedBy } from '../types.ts';
import type { RenewedPairs } from './renewed-tokens.ts';
import { storedScopes } from './scopes.ts';
import { ASSUMED_LIFE_SECONDS, aheadMs, backOffMs, lifeProblem } from './token-lifetime.ts';
import { LOST_KEY, openSecret, tokensOf, withPreviousRefreshToken } from './token-secret.ts';
import { assertTokenSize } from './token-size.ts';
import { type GrantClaim, type GrantRow, type GrantState, noteFailed, noteSent, writeRefused } from './token-store.ts';

/** All calls of one refresh finish within this time, in ms; nothing is sent later. */
export const CALL_MS = 20_000;
/** How long no other refresh is sent, in ms: the time for the calls plus a margin for the clocks. */
const SENT_MS = CALL_MS + 5_000;

type Deps = Pick<AccountsDependencies, 'db' | 'sealer'> & {
  platforms: Platforms;
  events: AccountEvents;
  pairs: RenewedPairs;
  random: () => number;
};

/** The connector's flow that can refresh this kind of grant. */
export function flowOf(platforms: Platforms, grant: Pick<GrantRow, 'platform' | 'kind'>) {
  const connector = platforms.connector(grant.platform);
  return grant.kind === 'oauth' ? connector.oauth : connector.credentials;
}

/** @returns a function that returns the failure, or null if the grant is fresh or someone else has the lease by now */
export function createRefresher(deps: Deps): (claim: GrantClaim, grant: GrantState) => Promise<Failure | null> {
  const { db, sealer, events, random, pairs } = deps;

  const giveBack = async (claim: GrantClaim, failure: Failure, heard: boolean, cause?: unknown): Promise<Failure> => {
    const asked = failure.kind === 'rateLimited' || failure.kind === 'transient' ? (failure.waitMs ?? 0) : 0;
    const waitMs = backOffMs(claim.attempts, asked, random());
    await noteFailed(db, claim, { afterMs: waitMs, heard, reason: failure.detail });
    events.refreshFailed(claim.row, failure, waitMs, cause);
    return { kind: 'transient', detail: failure.detail, waitMs: Math.ceil(waitMs) };
  };

  return async (claim, grant) => {
    if (grant.sentForMs > 0) {
      await noteFailed(db, claim, { afterMs: grant.sentForMs, heard: false, reason: null });
      return { kind: 'transient', detail: say('access_refresh_unanswered'), waitMs: Math.ceil(grant.sentForMs) };
    }
    const version = { key: claim.key, version: claim.row.version, fence: claim.fence };
    if (await pairs.writeKept(version)) return null;
    const secret = openSecret(sealer, grant);
    if (!secret) return giveBack(claim, LOST_KEY, true).then(() => LOST_KEY);
    const refresh = flowOf(deps.platforms, grant)?.refresh;
    if (!refresh) return null;
    const window = openWindow(CALL_MS);
    const spans = {
      leaseMs: SENT_MS,
      sentMs: SENT_MS,
      againMs: Math.max(SENT_MS, backOffMs(claim.attempts, 0, random())),
    };
    if (!(await noteSent(db, claim, spans))) return null;
    const line = watched(deps.platforms.outbound(grant.sandbox).http, window);
    let response: Tokens;
    try {
      const context = await deps.platforms.context(grant.platform, grant.sandbox, line.http);
      response = await refresh(context, tokensOf(deps.platforms, grant, secret));
      assertTokenSize(deps.platforms.connector(grant.platform).name, response);
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind !== 'reconnect') return giveBack(claim, failure, line.heard(), error);
      events.expired(grant, await writeRefused(db, grant.id, grant.version, endedBy(failure)));
      return failure;
    }
    const pair = pairOf(grant, secret, response, window.elapsedMs(), random());
    if (pair.problem) events.implausibleLifetime(grant, pair.problem.text);
    const written = await pairs.write(version, pair);
    if (written) events.refreshed(grant);
    return null;
  };
}

/** Builds the tokens to store: values missing from the response are kept from the previous ones. Pure. */
export function pairOf(grant: GrantState, secret: JsonObject, response: Tokens, elapsedMs: number, random: number) {
  const problem = lifeProblem(response.expiresIn);
  // The previous tokens may already be invalid. So new ones with an invalid lifetime are kept, but the lifetime is
  // ignored.
  const seconds = problem ? ASSUMED_LIFE_SECONDS : response.expiresIn;
  const lifeMs = seconds === null ? null : Math.max(seconds * 1000 - elapsedMs, 0);
  const kept = withPreviousRefreshToken(secret, response.secret);
  const stated = lifeProblem(response.refreshExpiresIn) ? null : response.refreshExpiresIn;
  const same = kept.refreshToken === secret.refreshToken;
  return {
    problem,
    secret: kept,
    scopes: response.scopes.length > 0 ? storedScopes(response.scopes) : grant.scopes,
    lifeMs,
    refreshLifeMs: stated !== null ? stated * 1000 - elapsedMs : same ? grant.refreshLifeMs : null,
    dueInMs: aheadMs(lifeMs, random),
  };
}

/**
 * A time window measured by two clocks: the monotonic one stops while the machine sleeps, the wall clock may be set.
 */
function openWindow(ms: number) {
  const mark = performance.now();
  const wall = Date.now();
  const elapsedMs = () => Math.max(performance.now() - mark, Date.now() - wall);
  return { elapsedMs, leftMs: () => ms - elapsedMs() };
}

/** An HTTP client that sends only while the window is open, and tracks whether a request may still be in progress. */
function watched(http: ManagedHttp, window: ReturnType<typeof openWindow>) {
  let silent = false;
  const client: HttpClient = async (request) => {
    const left = window.leftMs();
    if (left <= 0) throw new NetworkError('timeout', 'no');
    try {
      return await http.irreversible(
        { ...request, deadlineMs: Math.min(request.deadlineMs ?? left, left) },
        { permit: () => window.leftMs() > 0 },
      );
    } catch (error) {
      if (!(error instanceof NetworkError) || error.sent !== 'no') silent = true;
      throw error;
    }
  };
  return { http: client, heard: () => !silent };
}
