/**
 * Provides access tokens that are fresh when they are used.
 *
 * A refresh may invalidate the tokens that it was made with, so it is treated like a post. Only one runs at a time
 * across all nodes (lease and fence on the grant). It is recorded in the database before it is sent, sent once, and its
 * result is committed before anyone uses it. If its response is lost, it is repeated only after its deadline, with
 * growing delays.
 *
 *     fresh ──needed, or due──▶ claimed ──recorded──▶ sent ──response──▶ fresh (next version)
 *       ▲                          │                   ├─ "revoked" ──▶ refused: accounts EXPIRED
 *       └──────────────────────────┘ (was fresh)       └─ anything else, or no response ──▶ retried later
 *
 * Accounts become EXPIRED only if the platform itself reports the tokens as revoked, never because of a network error.
 */
import type { Tokens } from '../../connectors/contract.ts';
import { batchById } from '../../db/batch-by-id.ts';
import { say } from '../../messages/timeline.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import type { Platforms } from '../apps/platforms.ts';
import type { AccountEvents } from '../events.ts';
import { type AccountsDependencies, type Outcome, refused } from '../types.ts';
import type { RenewedPairs } from './renewed-tokens.ts';
import { aheadMs } from './token-lifetime.ts';
import { CALL_MS, createRefresher, flowOf } from './token-refresh.ts';
import { LOST_KEY, openSecret, tokensOf } from './token-secret.ts';
import {
  dueGrants,
  type GrantClaim,
  type GrantState,
  noteFailed,
  noteFresh,
  readGrant,
  readGrants,
  writeRefused,
} from './token-store.ts';

/** Tokens that may be used now. */
export interface Fresh {
  tokens: Tokens;
  /** Identifies these tokens; report it if the platform rejects them. */
  version: number;
  /** Remaining lifetime in ms by the database's clock; null if the token does not expire. */
  lifetimeLeftMs: number | null;
}

export interface Grants {
  /**
   * Returns the grant's tokens with at least `minLifeMs` of lifetime left, refreshing them if needed. The lifetime is
   * shorter only if the platform issues no better ones. Waits for a refresh in progress on this or another node.
   */
  freshSecret(grantId: string, options: { minLifeMs: number }): Promise<Outcome<{ fresh: Fresh }>>;
  /** Refreshes a claimed grant ahead of expiry. */
  refreshAhead(claim: GrantClaim): Promise<void>;
}

const LEASE_MS = 15_000;
const POLL_EVERY_MS = 60;
/** Longer than a refresh on another node can take. */
const PATIENCE_MS = CALL_MS + 10_000;

type Deps = Pick<AccountsDependencies, 'db' | 'sealer' | 'simulated' | 'real'> & {
  platforms: Platforms;
  events: AccountEvents;
  pairs: RenewedPairs;
  random?: () => number;
};

export function createGrants(deps: Deps): Grants {
  const { db } = deps;
  const readShared = batchById(
    (ids) => readGrants(db, ids),
    (grant) => grant.id,
  );
  const random = deps.random ?? Math.random;
  const refresh = createRefresher({ ...deps, random });
  const underWay = new Map<string, Promise<Failure | null>>();

  const run = (id: string, work: () => Promise<Failure | null>) => {
    const running = work().finally(() => {
      if (underWay.get(id) === running) underWay.delete(id);
    });
    underWay.set(id, running);
    return running;
  };
  /** Runs one attempt per grant at a time in this process; other callers share its result. */
  const once = (id: string, work: () => Promise<Failure | null>) => underWay.get(id) ?? run(id, work);

  /**
   * Claims the grant and refreshes it, unless it has become fresh meanwhile.
   * @returns null if the caller should read the grant again
   */
  const takeAndRefresh = (grant: GrantState, minLifeMs: number) =>
    once(grant.id, async () => {
      const claim = await dueGrants.take(db, grant.id, LEASE_MS);
      if (!claim) return pause(POLL_EVERY_MS).then(() => null);
      const now = await readGrant(db, grant.id);
      if (!now) return null;
      const next = decide({ ...now, leased: false }, minLifeMs, true);
      if (next.then === 'refresh') return refresh(claim, now);
      if (next.then === 'use') await noteFresh(db, claim, aheadMs(now.lifeMs, random()));
      else await noteFailed(db, claim, { afterMs: POLL_EVERY_MS, heard: false, reason: null });
      return null;
    });

  return {
    async freshSecret(grantId, { minLifeMs }) {
      const until = performance.now() + PATIENCE_MS;
      let refreshed = false;
      for (;;) {
        const grant = await readShared(grantId);
        if (!grant) return refused({ kind: 'reconnect', detail: say('account_disconnected') });
        const flow = flowOf(deps.platforms, grant);
        const next = decide(grant, refreshed ? 0 : minLifeMs, flow?.refresh !== undefined);
        if (next.then === 'use') return opened(deps, grant);
        if (next.then === 'fail') {
          if (next.over)
            await writeRefused(db, grant.id, grant.version, 'EXPIRED').then((ids) => deps.events.expired(grant, ids));
          return refused(next.failure);
        }
        if (next.then === 'wait') {
          if (performance.now() > until) return refused(BUSY);
          await pause(POLL_EVERY_MS);
          continue;
        }
        const failure = await takeAndRefresh(grant, minLifeMs);
        if (failure) return refused(failure);
        refreshed = (await readGrant(db, grantId))?.version !== grant.version;
        if (performance.now() > until) return refused(BUSY);
      }
    },
    async refreshAhead(claim) {
      const grant = await readGrant(db, claim.key);
      if (!grant) return;
      const flow = flowOf(deps.platforms, grant);
      if (!flow?.refresh || grant.refused || grant.lifeMs === null) return noteFresh(db, claim, null);
      // Not shared through `once`: a waiting attempt cannot acquire the claimed grant, so this claim would idle until
      // its lease ends.
      await run(claim.key, () => refresh(claim, grant));
    },
  };
}

const BUSY: Failure = { kind: 'transient', detail: say('access_refreshing'), waitMs: 5_000 };

type Next =
  | { then: 'use' }
  | { then: 'refresh' }
  | { then: 'wait' }
  | { then: 'fail'; failure: Failure; over?: boolean };

/** Decides what to do with a grant that is needed with at least `minLifeMs` of lifetime left. Pure. */
export function decide(grant: GrantState, minLifeMs: number, canRefresh: boolean): Next {
  if (grant.refused) return { then: 'fail', failure: REVOKED };
  const life = grant.lifeMs ?? Number.POSITIVE_INFINITY;
  if (life > 0 && life >= minLifeMs) return { then: 'use' };
  if (!canRefresh)
    return life > 0
      ? { then: 'use' }
      : { then: 'fail', over: true, failure: { ...REVOKED, detail: say('access_expired') } };
  if (grant.leased) return { then: 'wait' };
  const pauseMs = Math.max(grant.sentForMs, grant.attempts > 0 ? (grant.dueInMs ?? 0) : 0);
  if (pauseMs <= 0) return { then: 'refresh' };
  return {
    then: 'fail',
    failure: { kind: 'transient', detail: say('access_refresh_later'), waitMs: Math.ceil(pauseMs) },
  };
}

const REVOKED: Failure = { kind: 'reconnect', detail: say('access_ended') };

function opened({ sealer, platforms }: Deps, grant: GrantState): Outcome<{ fresh: Fresh }> {
  const secret = openSecret(sealer, grant);
  if (!secret) return refused(LOST_KEY);
  return {
    ok: true,
    fresh: { tokens: tokensOf(platforms, grant, secret), version: grant.version, lifetimeLeftMs: grant.lifeMs },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
