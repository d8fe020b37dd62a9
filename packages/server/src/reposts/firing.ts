/**
 * Fires repost rules. The transaction that posts on a rule's source adds an outbox event for each active rule. One
 * transaction creates the repost and ends its event, exactly once despite crashes. Content reaches an identity once by
 * any path; a later repost skips that destination.
 */
import type { Plans } from '../config/plans.ts';
import type { Database, Transaction } from '../db/database.ts';
import { ReelayError } from '../errors.ts';
import { uuidv7 } from '../ids.ts';
import { releaseMedia } from '../media/media-store.ts';
import { say } from '../messages/timeline.ts';
import { countPost } from '../plans/service.ts';
import { countInHistory } from '../plans/store.ts';
import { insertPost, insertTargets, type NewTarget } from '../posts/store.ts';
import { captionProblem } from '../publishing/suitability.ts';
import type { Claim } from '../queue/claim.ts';
import { lockLanes, lowerLanes } from '../queue/lane-locks.ts';
import { createDueLoop, type DueLoop } from '../queue/loop.ts';
import { MINUTE } from '../time.ts';
import {
  type Destination,
  destinationLanes,
  dueEvents,
  finishEvent,
  openDestinations,
  type RuleEvent,
  readCopy,
  readSource,
  type Source,
  shareRule,
  shelveEvent,
} from './firing-store.ts';

export interface FiringDeps {
  db: Database;
  config: { plans: Plans };
  /** Called when reposts are due. */
  wake(): void;
  /** Called with the outcome of an event once it is durable. */
  onFired?(event: RuleEvent, outcome: Fired): void;
}

/**
 * Outcome of an event. `none`: every destination already has the content, or the rule or post was deleted. `shelved`:
 * the rule is paused.
 */
export type Fired = { kind: 'post'; postId: string; targets: number } | { kind: 'none' } | { kind: 'shelved' };

export type Firing = (claim: Claim<RuleEvent>) => Promise<Fired>;

/** Creates the function that handles one claimed event. */
export function createFiring(deps: FiringDeps): Firing {
  return async (claim) => {
    const fired = await deps.db.transaction((tx) => fire(tx, deps, claim));
    deps.onFired?.(claim.row, fired);
    return fired;
  };
}

async function fire(tx: Transaction, deps: FiringDeps, claim: Claim<RuleEvent>): Promise<Fired> {
  if (claim.row.kind !== 'rule') throw new Error(`Unknown kind of event: ${claim.row.kind}.`);
  const { ruleId, targetId } = claim.row.payload;
  const lanes = await destinationLanes(tx, ruleId);
  await lockLanes(tx, lanes);
  const rule = await shareRule(tx, ruleId);
  if (rule?.paused) return held(await shelveEvent(tx, claim), { kind: 'shelved' });
  // Read in this order: a post deleted before this read has already left its copy in the event.
  const posted = await readSource(tx, targetId);
  const copy = posted ? undefined : await readCopy(tx, claim.key);
  const source = posted ?? copy;
  const fired = rule && source ? await repost(tx, deps, claim.row, source) : ({ kind: 'none' } as const);
  const finished = held(await finishEvent(tx, claim), fired);
  if (copy) await releaseMedia(tx, [copy.mediaId]);
  return finished;
}

/** @throws Error when another worker took the event over: then nothing is written */
function held<T>(isHeld: boolean, outcome: T): T {
  if (!isHeld) throw new Error('Another worker claimed the event.');
  return outcome;
}

async function repost(tx: Transaction, deps: FiringDeps, event: RuleEvent, source: Source): Promise<Fired> {
  const { user_id: userId, payload } = event;
  const destinations = await openDestinations(tx, payload.ruleId, source.originId);
  if (destinations.length === 0) return { kind: 'none' };
  const refusal = await countOrRefuse(tx, deps.config.plans, userId);
  const post = { id: uuidv7(), userId, originId: source.originId };
  const date = await insertPost(tx, {
    ...post,
    mediaId: source.mediaId,
    description: source.description,
    previewTimeMs: source.previewTimeMs,
    scheduled: false,
    at: null,
    repost: { ruleId: payload.ruleId, of: source.postId },
  });
  const targets = destinations.map((each) => targetFor(each, source.description, refusal));
  await insertTargets(tx, { ...post, date }, targets, say('queued_by_rule'));
  await lowerLanes(
    tx,
    destinations.map((each) => each.identityId),
    userId,
  );
  await countInHistory(tx, userId);
  tx.afterCommit(deps.wake);
  return { kind: 'post', postId: post.id, targets: targets.length };
}

/** Counts the repost as a post. Past the plan's limit it is not counted. @returns the reason in that case */
async function countOrRefuse(tx: Transaction, plans: Plans, userId: string): Promise<string | null> {
  try {
    await countPost(tx, plans, userId);
    return null;
  } catch (error) {
    if (error instanceof ReelayError && error.code === 'plan_limit_reached') return error.message;
    throw error;
  }
}

/** Creates the target at a destination, already failed if posting there is known to be impossible. Pure. */
export function targetFor(destination: Destination, description: string, refusal: string | null): NewTarget {
  const { accountId, identityId, status, capabilities } = destination;
  const target = { id: uuidv7(), accountId, identityId };
  if (refusal)
    return { ...target, failure: { code: 'plan_limit_reached', detail: say('plan_limit', { reason: refusal }) } };
  if (status !== 'CONNECTED') {
    return { ...target, failure: { code: 'reconnect_required', detail: say('account_disconnected') } };
  }
  const caption = captionProblem(capabilities, description);
  return caption ? { ...target, failure: { code: 'caption_rejected', detail: caption } } : target;
}

/** Longer than any firing takes, in ms. */
const LEASE_MS = MINUTE;
const MAX_PAUSE_MS = 5 * MINUTE;

/** Creates the loop that fires rules. It is not started yet. */
export function createFiringLoop(needs: FiringDeps & { onError(error: unknown): void }): DueLoop {
  const { db, onError } = needs;
  const firing = createFiring(needs);
  return createDueLoop<Claim<RuleEvent>>({
    claim: (limit) => dueEvents.claim(db, { limit, leaseMs: LEASE_MS }),
    async run(claim) {
      try {
        await firing(claim);
      } catch (error) {
        onError(error);
        const afterMs = Math.min(1_000 * 2 ** claim.attempts, MAX_PAUSE_MS);
        await dueEvents.release(db, claim, { afterMs, failed: true });
      }
    },
    concurrency: 8,
    onError,
  });
}
