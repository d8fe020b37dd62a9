/**
 * Repost rules: from one account to others. A rule acts on posts published while it is active, by the database's clock.
 * Firing locks a rule `for share` while it records a post's events. A pause or deletion locks it `for update`, so each
 * post is clearly before or after it.
 */
import type { Plans } from '../config/plans.ts';
import type { Database, Transaction } from '../db/database.ts';
import { apiError, ReelayError } from '../errors.ts';
import { isUuid, uuidv7 } from '../ids.ts';
import { assertRulesLeft, giveBack } from '../plans/service.ts';
import { lockPlan, uncountHistory } from '../plans/store.ts';
import { lockLanes } from '../queue/lane-locks.ts';
import { unshelveEvents } from './firing-store.ts';
import { closesCircle } from './graph.ts';
import {
  beginInterval,
  endInterval,
  insertRule,
  listEdges,
  lockAccounts,
  lockQueuedTargets,
  lockRule,
  queuedIdentities,
  removeRule,
  removeUnbegun,
  setPaused,
} from './store.ts';

/** The configuration that rules need. */
export interface RuleSettings {
  plans: Plans;
  /** Whether simulated accounts may be used. */
  sandbox: boolean;
}

/**
 * Adds a rule, active from now on. Duplicate destinations are merged. Adds of one user are serialized, so that exactly
 * one of two opposite rules succeeds.
 * @returns the rule's id
 * @throws ReelayError in this order: `unknown_platform`, `platform_not_connected`, `circular_dependency`,
 * `duplicate_rule`, `plan_limit_reached`
 */
export async function addRule(
  db: Database,
  settings: RuleSettings,
  userId: string,
  rule: { from: string; to: readonly string[] },
): Promise<string> {
  const to = [...new Set(rule.to)];
  return db.transaction(async (tx) => {
    await lockPlan(tx, userId);
    await assertUsable(tx, settings, userId, [rule.from, ...to]);
    const edges = await listEdges(tx, userId);
    if (closesCircle(edges, rule.from, to)) throw new ReelayError('circular_dependency');
    const double = edges.find((edge) => edge.from === rule.from && to.includes(edge.to));
    if (double) throw apiError('rule_exists', { id: double.to });
    await assertRulesLeft(tx, settings.plans, userId);
    const id = uuidv7();
    await insertRule(tx, { id, userId, from: rule.from, to });
    return id;
  });
}

async function assertUsable(
  tx: Transaction,
  settings: RuleSettings,
  userId: string,
  ids: readonly string[],
): Promise<void> {
  const found = await lockAccounts(tx, userId, ids.filter(isUuid));
  const byId = new Map(found.map((account) => [account.id, account]));
  const unknown = ids.find((id) => !byId.has(id));
  if (unknown !== undefined) throw apiError('account_not_found', { id: unknown.slice(0, 100) });
  const unusable = ids.find((id) => {
    const account = byId.get(id);
    return account?.status !== 'CONNECTED' || (account.sandbox && !settings.sandbox);
  });
  if (unusable) throw apiError('account_not_connected', { account: unusable });
}

/** Pauses or resumes a rule. Idempotent. @throws ReelayError `unknown_rule` */
export async function pauseRule(db: Database, userId: string, ruleId: string, isPaused: boolean): Promise<void> {
  if (!isUuid(ruleId)) throw new ReelayError('unknown_rule');
  await db.transaction(async (tx) => {
    const wasPaused = await lockRule(tx, userId, ruleId);
    if (wasPaused === undefined) throw new ReelayError('unknown_rule');
    if (wasPaused === isPaused) return;
    await setPaused(tx, ruleId, isPaused);
    await (isPaused ? endInterval(tx, ruleId) : beginInterval(tx, ruleId));
    if (!isPaused) await unshelveEvents(tx, ruleId);
  });
}

/**
 * Deletes a rule and its queued reposts that have not started, and returns their plan usage. Reposts in progress
 * finish.
 * @throws ReelayError `unknown_rule`
 */
export async function deleteRule(db: Database, userId: string, ruleId: string): Promise<void> {
  if (!isUuid(ruleId)) throw new ReelayError('unknown_rule');
  for (let done = false; !done; ) done = await db.transaction((tx) => tryDelete(tx, userId, ruleId));
}

/**
 * Tries to delete a rule. The lock order puts lanes before rules, but only the locked rule prevents further reposts. So
 * the lanes of queued reposts are locked first. If more were queued before the rule was locked, the caller starts over.
 */
async function tryDelete(tx: Transaction, userId: string, ruleId: string): Promise<boolean> {
  const identities = await queuedIdentities(tx, ruleId);
  await lockLanes(tx, identities);
  await lockQueuedTargets(tx, ruleId);
  if ((await lockRule(tx, userId, ruleId)) === undefined) throw new ReelayError('unknown_rule');
  const known = new Set(identities);
  if ((await queuedIdentities(tx, ruleId)).some((identity) => !known.has(identity))) return false;
  await removeRule(tx, ruleId);
  const removed = await removeUnbegun(tx, ruleId);
  for (const { created_at } of removed) await giveBack(tx, userId, created_at);
  if (removed.length > 0) await uncountHistory(tx, userId, removed.length);
  return true;
}
