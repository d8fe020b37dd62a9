/**
 * Fires repost rules. The transaction that records content on a rule's source adds a firing for each active rule. One
 * transaction creates the repost and ends its firing, exactly once despite crashes. Content reaches an identity once by
 * any path; a later repost skips that destination.
 */
import type { Plans } from '../config/plans.ts';
import type { Connector } from '../connectors/contract.ts';
import type { Database, Transaction } from '../db/database.ts';
import { ReelayError } from '../errors/reelay-error.ts';
import { uuidv7 } from '../lib/ids.ts';
import { MINUTE } from '../lib/time.ts';
import { decideOrigins } from '../lineage/origins.ts';
import { releaseMedia } from '../media/media-store.ts';
import type { Message } from '../messages/message.ts';
import { say } from '../messages/rules.ts';
import { say as sayTimeline } from '../messages/timeline.ts';
import { countInHistory } from '../plans/plan-store.ts';
import { countPost } from '../plans/service.ts';
import { insertPost, insertTargets } from '../posts/post-store.ts';
import { type Claim, runOrRetry } from '../queue/claim.ts';
import { lowerLanes } from '../queue/lane-locks.ts';
import { createDueLoop, type DueLoop } from '../queue/loop.ts';
import { holderOf } from '../queue/shares.ts';
import type { FindShown } from '../watching/shown-on-destination.ts';
import { awaitsFile, dropFile, type FileSources, requestFile } from './content-store.ts';
import { decide } from './decide.ts';
import { decisionFacts, type Facts, readFacts } from './decision-facts.ts';
import type { Looking, Shown } from './destinations.ts';
import {
  dueFirings,
  type FiringRow,
  finishFiring,
  isInLine,
  lockDestinations,
  moveUpLimited,
  type Outcome,
  postponeFiring,
  shareRule,
  wakeCatalog,
} from './firing-store.ts';
import { type Look, lookAt } from './look.ts';
import { privacyOptions } from './options/privacy.ts';
import { completeOptions } from './options/rule-options.ts';
import { targetFor } from './repost-target.ts';
import { reviseRepost } from './revise.ts';

/** What firing needs to know of platforms. */
export type FiringConnectors = Readonly<
  Record<string, Pick<Connector, 'name' | 'watch' | 'federated' | 'countedText' | 'textProblem'>>
>;

export interface FiringDeps extends FileSources {
  db: Database;
  connectors: FiringConnectors;
  config: { plans: Plans };
  /** Called when reposts are due. */
  wake(): void;
  /** Called when the file of a post was requested. */
  onFile(): void;
  /** Finds destinations that already show content posted elsewhere. */
  findShown: FindShown;
  /** Called with the outcome of a firing once it is durable. */
  onFired?(firing: FiringRow, outcome: Fired): void;
}

/** Result of one claim of a firing. `waiting`: the rule is paused, or something must happen first. */
export type Fired = { kind: 'post'; postId: string; targets: number } | { kind: 'none' } | { kind: 'waiting' };

export type Firing = (claim: Claim<FiringRow>) => Promise<Fired>;

/** Creates the function that handles one claimed firing. */
export function createFiring(deps: FiringDeps): Firing {
  return async (claim) => {
    if (claim.row.state === 'reposted') {
      await reviseRepost(deps, claim);
      return { kind: 'none' };
    }
    const decideWith = (shown: Shown | null) =>
      decideOrigins(deps.db, (tx, canJoin) => fire(tx, deps, claim, { shown, canJoin }));
    let fired = await decideWith(null);
    if (fired.kind === 'look') {
      const shown = await deps.findShown(fired.accounts, fired.sought);
      fired = await decideWith(shown);
    }
    if (fired.kind === 'look') throw new Error('The firing was decided without its destinations.');
    deps.onFired?.(claim.row, fired);
    return fired;
  };
}

async function fire(
  tx: Transaction,
  deps: FiringDeps,
  claim: Claim<FiringRow>,
  { shown, canJoin }: Omit<Looking, 'now'>,
): Promise<Fired | Look> {
  const { row } = claim;
  await lockDestinations(tx, row.rule_id);
  const rule = await shareRule(tx, row.rule_id);
  // The firing was deleted with its rule.
  if (!rule) return { kind: 'none' };
  const wait = async (until: number | null, reason: Message) =>
    held(await postponeFiring(tx, claim, until, reason), { kind: 'waiting' } as const);
  if (rule.paused && !row.by_hand) return wait(null, say('rule_paused'));
  const options = completeOptions(rule.options);
  const fit = options.fit ?? '';
  const facts = await readFacts(tx, deps, { row, options, now: rule.now.getTime(), shown, canJoin });
  const { found } = facts;
  const { hasLater, ...known } = await decisionFacts(tx, deps, facts);
  const decision = decide(known);
  if (decision.then === 'wait') {
    if (decision.reason.code === 'rule_daily_limit' && row.watched_post_id) await dropFile(tx, row, fit);
    const isFetched = decision.reason.code === 'file_fetching' && !(await awaitsFile(tx, row, fit));
    return wait(isFetched ? facts.now : decision.until, decision.reason);
  }
  if (decision.then === 'fetch') {
    await requestFile(tx, row, fit);
    tx.afterCommit(deps.onFile);
    return wait(null, decision.reason);
  }
  if (decision.then === 'repost' && found?.form && shown === null && !row.by_hand)
    return lookAt(row, facts.open, { ...found.form, caption: decision.caption });
  const done: Done =
    decision.then === 'skip'
      ? { fired: { kind: 'none' }, outcome: { state: 'skipped', reason: decision.reason } }
      : await repost(tx, deps, facts, decision.caption);
  held(await finishFiring(tx, claim, done.outcome), done.fired);
  if (row.is_catalog) await wakeCatalog(tx, row.rule_id);
  // What waited too long had no day to give up.
  const isDayFree = row.by_hand || (decision.then === 'skip' && decision.reason.code !== 'over_daily_limit');
  if (isDayFree && hasLater && isInLine(row)) await moveUpLimited(tx, row.rule_id);
  if (found?.isCopy && found.mediaId) await releaseMedia(tx, [found.mediaId]);
  return done.fired;
}

interface Done {
  fired: Fired;
  outcome: Outcome;
}

/** @throws Error when another worker took the firing over: then nothing is written */
function held<T>(isHeld: boolean, fired: T): T {
  if (!isHeld) throw new Error('Another worker claimed the firing.');
  return fired;
}

async function repost(tx: Transaction, deps: FiringDeps, facts: Facts, caption: string): Promise<Done> {
  const { row, found, options, open: destinations } = facts;
  const { user_id: userId, rule_id: ruleId } = row;
  if (!found?.mediaId) throw new Error('The video of the repost is missing.');
  const refusal = await countOrRefuse(tx, deps.config.plans, userId);
  const post = { id: uuidv7(), userId, originId: facts.originId };
  const contentText = found.form?.text ?? found.content.caption;
  const date = await insertPost(tx, {
    ...post,
    mediaId: found.mediaId,
    description: caption,
    previewTimeMs: found.previewTimeMs,
    scheduled: false,
    at: null,
    repost: {
      ruleId,
      of: found.postId,
      contentText,
      publishedAt: found.form?.at ?? null,
      byHand: row.by_hand,
      fromCatalog: row.is_catalog,
    },
  });
  const targets = destinations.map((each) => {
    const content = { text: caption, options: privacyOptions(options.privacy, each.accountId) };
    return targetFor(each, content, { refusal, byHand: row.by_hand, connector: deps.connectors[each.platform] });
  });
  await insertTargets(tx, { ...post, date, text: contentText }, targets, sayTimeline('queued_by_rule'));
  await lowerLanes(
    tx,
    destinations.map((each) => each.identityId),
    userId,
  );
  await countInHistory(tx, userId);
  tx.afterCommit(deps.wake);
  return {
    fired: { kind: 'post', postId: post.id, targets: targets.length },
    outcome: { state: 'reposted', postId: post.id },
  };
}

/** Counts the repost as a post. Past the plan's limit it is not counted. @returns the reason in that case */
async function countOrRefuse(tx: Transaction, plans: Plans, userId: string): Promise<Message | null> {
  try {
    await countPost(tx, plans, userId);
    return null;
  } catch (error) {
    if (error instanceof ReelayError && error.code === 'plan_limit_reached') return error.said;
    throw error;
  }
}

/** Longer than any firing takes, in ms. */
const LEASE_MS = MINUTE;
const MAX_PAUSE_MS = 5 * MINUTE;

/** Creates the loop that fires rules. It is not started yet. */
export function createFiringLoop(needs: FiringDeps & { onError(error: unknown): void }): DueLoop {
  const { db, onError } = needs;
  const firing = createFiring(needs);
  return createDueLoop<Claim<FiringRow>>({
    claim: (limit, limits) => dueFirings.claim(db, { limit, leaseMs: LEASE_MS, limits }),
    holder: holderOf,
    run: (claim) => runOrRetry(db, dueFirings, claim, { run: () => firing(claim), onError, maxPauseMs: MAX_PAUSE_MS }),
    concurrency: 16,
    withinMs: LEASE_MS,
    onError,
  });
}
