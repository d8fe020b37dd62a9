/**
 * Tokens that are fresh when they are used.
 *
 * A refresh may kill the pair that it was made with, so it is treated like a post: one at a time over all nodes (lease
 * and fence on the grant), noted in the database before it is sent, sent once, and its result committed before anybody
 * uses it. A refresh whose answer was lost is repeated only after its deadline, and then at growing distances.
 *
 *     fresh ──needed, or due──▶ taken ──noted──▶ sent ──answer──▶ fresh (next version)
 *       ▲                        │                ├─ "revoked" ──▶ refused: accounts EXPIRED
 *       └────────────────────────┘ (was fresh)    └─ anything else, or silence ──▶ tried again later
 *
 * Only the platform's own word for "revoked" makes accounts EXPIRED; a network fault never does.
 */
import type { Tokens } from '../connectors/contract.ts';
import type { Failure } from '../connectors/kit/failure.ts';
import { readTogether } from '../db/together.ts';
import type { AccountEvents } from './events.ts';
import { LOST_KEY, openSecret, tokensOf } from './grant-secret.ts';
import {
  dueGrants,
  type GrantClaim,
  type GrantState,
  noteFailed,
  noteFresh,
  readGrant,
  readGrants,
  writeRefused,
} from './grant-store.ts';
import { aheadMs } from './lifetimes.ts';
import type { Platforms } from './platforms.ts';
import { CALL_MS, createRefresher, flowOf } from './refresh.ts';
import type { RenewedPairs } from './renewed-pairs.ts';
import { type AccountsDependencies, type Outcome, refused } from './types.ts';

/** A secret that may be used now. */
export interface Fresh {
  tokens: Tokens;
  /** Names this pair; tell it when the platform refuses it. */
  version: number;
  /** By the database's clock; null: it does not expire. */
  lifetimeLeftMs: number | null;
}

export interface Grants {
  /**
   * The grant's secret with at least so much life left, refreshed if need be; with less only where the platform gives
   * no better one. Waits for a refresh that is under way, here or on another node.
   */
  freshSecret(grantId: string, options: { minLifeMs: number }): Promise<Outcome<{ fresh: Fresh }>>;
  /** Refreshes a claimed grant ahead of need. */
  refreshAhead(claim: GrantClaim): Promise<void>;
}

const LEASE_MS = 15_000;
const LOOK_EVERY_MS = 60;
/** Longer than a refresh of another node can take. */
const PATIENCE_MS = CALL_MS + 10_000;

type Needs = Pick<AccountsDependencies, 'db' | 'sealer' | 'simulated' | 'real'> & {
  platforms: Platforms;
  events: AccountEvents;
  pairs: RenewedPairs;
  random?: () => number;
};

export function createGrants(needs: Needs): Grants {
  const { db } = needs;
  const readShared = readTogether(
    (ids) => readGrants(db, ids),
    (grant) => grant.id,
  );
  const random = needs.random ?? Math.random;
  const refresh = createRefresher({ ...needs, random });
  const underWay = new Map<string, Promise<Failure | null>>();

  const run = (id: string, work: () => Promise<Failure | null>) => {
    const running = work().finally(() => {
      if (underWay.get(id) === running) underWay.delete(id);
    });
    underWay.set(id, running);
    return running;
  };
  /** One try of a grant at a time in this process; the others share its end. */
  const once = (id: string, work: () => Promise<Failure | null>) => underWay.get(id) ?? run(id, work);

  /** Takes the grant and refreshes it, unless it has become fresh meanwhile. @returns null: look again */
  const takeAndRefresh = (grant: GrantState, minLifeMs: number) =>
    once(grant.id, async () => {
      const claim = await dueGrants.take(db, grant.id, LEASE_MS);
      if (!claim) return pause(LOOK_EVERY_MS).then(() => null);
      const now = await readGrant(db, grant.id);
      if (!now) return null;
      const next = decide({ ...now, leased: false }, minLifeMs, true);
      if (next.then === 'refresh') return refresh(claim, now);
      if (next.then === 'use') await noteFresh(db, claim, aheadMs(now.lifeMs, random()));
      else await noteFailed(db, claim, LOOK_EVERY_MS, false);
      return null;
    });

  return {
    async freshSecret(grantId, { minLifeMs }) {
      const until = performance.now() + PATIENCE_MS;
      let refreshed = false;
      for (;;) {
        const grant = await readShared(grantId);
        if (!grant) return refused({ kind: 'reconnect', detail: 'The account is not connected any more.' });
        const flow = flowOf(needs.platforms, grant);
        const next = decide(grant, refreshed ? 0 : minLifeMs, flow?.refresh !== undefined);
        if (next.then === 'use') return opened(needs, grant);
        if (next.then === 'fail') {
          if (next.over)
            await writeRefused(db, grant.id, grant.version, 'EXPIRED').then((ids) => needs.events.expired(grant, ids));
          return refused(next.failure);
        }
        if (next.then === 'wait') {
          if (performance.now() > until) return refused(BUSY);
          await pause(LOOK_EVERY_MS);
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
      const flow = flowOf(needs.platforms, grant);
      if (!flow?.refresh || grant.refused || grant.lifeMs === null) return noteFresh(db, claim, null);
      // Whoever tries meanwhile cannot take what is claimed; to share the end of that would leave the claim to its lease.
      await run(claim.key, () => refresh(claim, grant));
    },
  };
}

const BUSY: Failure = { kind: 'transient', detail: 'The access is being renewed.', waitMs: 5_000 };

type Next =
  | { then: 'use' }
  | { then: 'refresh' }
  | { then: 'wait' }
  | { then: 'fail'; failure: Failure; over?: boolean };

/** What to do with a grant that is needed with so much life left. Pure. */
export function decide(grant: GrantState, minLifeMs: number, canRefresh: boolean): Next {
  if (grant.refused) return { then: 'fail', failure: REVOKED };
  const life = grant.lifeMs ?? Number.POSITIVE_INFINITY;
  if (life > 0 && life >= minLifeMs) return { then: 'use' };
  if (!canRefresh)
    return life > 0 ? { then: 'use' } : { then: 'fail', over: true, failure: { ...REVOKED, detail: RUN_OUT } };
  if (grant.leased) return { then: 'wait' };
  const pauseMs = Math.max(grant.sentForMs, grant.attempts > 0 ? (grant.dueInMs ?? 0) : 0);
  if (pauseMs <= 0) return { then: 'refresh' };
  return { then: 'fail', failure: { kind: 'transient', detail: AGAIN_LATER, waitMs: Math.ceil(pauseMs) } };
}

const REVOKED: Failure = { kind: 'reconnect', detail: 'The platform has ended the access. Connect the account again.' };
const RUN_OUT = 'The access has run out and cannot be renewed. Connect the account again.';
const AGAIN_LATER = 'The access could not be renewed yet and will be tried again.';

function opened({ sealer, platforms }: Needs, grant: GrantState): Outcome<{ fresh: Fresh }> {
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
