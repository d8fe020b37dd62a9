/**
 * Repost rules: from one account to others. A rule acts on posts published while it is active, by the database's clock.
 * Firing locks a rule `for share` while it records a post's events. A pause or deletion locks it `for update`, so each
 * post is clearly before or after it.
 */
import type { Plans } from '../config/plans.ts';
import type { Connector } from '../connectors/contract.ts';
import type { Database, Transaction } from '../db/database.ts';
import { apiError, ReelayError } from '../errors/reelay-error.ts';
import { unknownAccounts } from '../errors/unknown-names.ts';
import { isUuid, uuidv7 } from '../lib/ids.ts';
import { holdOrigins } from '../lineage/origins.ts';
import { lockPlan } from '../plans/plan-store.ts';
import { assertRulesLeft, giveBackRemoved } from '../plans/service.ts';
import { lockLanes, lowerLanes } from '../queue/lane-locks.ts';
import { startWatches } from '../watching/watch-store.ts';
import { selectCatalog } from './catalog.ts';
import { findDoubles, wouldCloseCircle } from './edge-store.ts';
import { reconsiderFirings, wakeFirings } from './firing-store.ts';
import { assertTemplates } from './options/caption-limits.ts';
import { checkPrivacy } from './options/privacy.ts';
import { completeOptions, type GivenOptions, mergeOptions, type StoredOptions } from './options/rule-options.ts';
import {
  beginInterval,
  destinationsOf,
  endInterval,
  endQuietWaits,
  insertRule,
  lockAccounts,
  lockQueuedTargets,
  lockRule,
  queuedIdentities,
  removeRules,
  removeUnbegun,
  setOptions,
  setPaused,
  type UsedAccount,
} from './rule-store.ts';

/** The configuration that rules need. */
export interface RuleSettings {
  plans: Plans;
  /** Whether simulated accounts may be used. */
  sandbox: boolean;
}

/** What rules need to know of platforms. */
export type RuleConnectors = Readonly<Record<string, Pick<Connector, 'name' | 'choices' | 'watch'>>>;

/**
 * Adds a rule, active from now on. Duplicate destinations are merged. Adds of one user are serialized, so that exactly
 * one of two opposite rules succeeds.
 * @returns the rule's id
 * @throws ReelayError in this order: `unknown_platform`, `platform_not_connected`, `invalid_request` (privacy),
 * `circular_dependency`, `duplicate_rule`, `plan_limit_reached`
 */
export async function addRule(
  { db, config: settings, connectors }: { db: Database; config: RuleSettings; connectors: RuleConnectors },
  userId: string,
  rule: { from: string; to: readonly string[]; options?: GivenOptions | undefined },
): Promise<string> {
  const to = [...new Set(rule.to)];
  const options = mergeOptions({}, rule.options ?? {});
  assertTemplates(options);
  return db.transaction(async (tx) => {
    await lockPlan(tx, userId);
    const accounts = await usableAccounts(tx, settings, userId, [rule.from, ...to]);
    assertPrivacy(
      connectors,
      options,
      accounts.filter(({ id }) => to.includes(id)),
    );
    if (await wouldCloseCircle(tx, userId, { from: rule.from, to })) throw new ReelayError('circular_dependency');
    const [double] = await findDoubles(tx, rule.from, to);
    if (double !== undefined) throw apiError('rule_exists', { id: double });
    await assertRulesLeft(tx, settings.plans, userId);
    const id = uuidv7();
    await insertRule(tx, { id, userId, from: rule.from, to, options });
    await selectCatalog(tx, id, completeOptions(options).backCatalog);
    await startWatches(tx, connectors, rule.from);
    return id;
  });
}

async function usableAccounts(
  tx: Transaction,
  settings: RuleSettings,
  userId: string,
  ids: readonly string[],
): Promise<UsedAccount[]> {
  const found = await lockAccounts(tx, userId, ids.filter(isUuid));
  const byId = new Map(found.map((account) => [account.id, account]));
  const unknown = ids.filter((id) => !byId.has(id));
  if (unknown.length > 0) throw unknownAccounts(unknown);
  const unusable = ids.find((id) => {
    const account = byId.get(id);
    return account?.status !== 'CONNECTED' || (account.sandbox && !settings.sandbox);
  });
  if (unusable) throw apiError('account_not_connected', { account: unusable });
  return found;
}

/** @throws ReelayError `invalid_request` naming the account */
export function assertPrivacy(
  connectors: RuleConnectors,
  { privacy = {} }: StoredOptions,
  destinations: readonly UsedAccount[],
): void {
  const known = destinations.map(({ platform, ...account }) => ({
    ...account,
    connector: connectors[platform] ?? { name: platform, choices: [] },
  }));
  checkPrivacy(privacy, known);
}

/**
 * Changes the options of a rule. What waits is decided again by the new options.
 * @param given null resets an option
 * @throws ReelayError `unknown_rule`, `invalid_request` (privacy, back catalog)
 */
export async function editRule(
  { db, connectors }: { db: Database; connectors: RuleConnectors },
  userId: string,
  ruleId: string,
  given: GivenOptions,
): Promise<void> {
  if (!isUuid(ruleId)) throw new ReelayError('unknown_rule');
  const movesQuietHours = given.quietHours !== undefined || given.zone !== undefined;
  await db.transaction(async (tx) => {
    // The selection writes the origins of its posts.
    if (given.backCatalog !== undefined) await holdOrigins(tx, { alone: false });
    const lanes = movesQuietHours ? await queuedIdentities(tx, [ruleId]) : [];
    await lockLanes(tx, lanes);
    const rule = await lockRule(tx, userId, ruleId);
    if (!rule) throw new ReelayError('unknown_rule');
    const options = mergeOptions(rule.options, given);
    assertTemplates(options, rule.options);
    // A destination that is gone by now is no reason to reject other changes.
    if (given.privacy) assertPrivacy(connectors, options, await destinationsOf(tx, ruleId));
    await setOptions(tx, ruleId, options);
    if (given.backCatalog !== undefined) await selectCatalog(tx, ruleId, completeOptions(options).backCatalog);
    if (lanes.length > 0) await lowerLanes(tx, await endQuietWaits(tx, ruleId, lanes), userId);
    await reconsiderFirings(tx, ruleId);
  });
}

export interface Pause {
  isPaused: boolean;
  /** What happens to posts on the source during the pause. Default: that of the present pause, or else `skip`. */
  between?: 'skip' | 'keep' | undefined;
}

/**
 * Pauses or resumes a rule, or changes what its pause does from now on. Idempotent. A pause that keeps posts leaves the
 * rule's active interval open, so that they are found, and wait like those from before the pause.
 * @throws ReelayError `unknown_rule`
 */
export async function pauseRule(
  { db, connectors }: { db: Database; connectors: RuleConnectors },
  userId: string,
  ruleId: string,
  { isPaused, between }: Pause,
): Promise<void> {
  if (!isUuid(ruleId)) throw new ReelayError('unknown_rule');
  await db.transaction(async (tx) => {
    const rule = await lockRule(tx, userId, ruleId);
    if (!rule) throw new ReelayError('unknown_rule');
    const keepsPosts = isPaused && (between === undefined ? rule.keepsPosts : between === 'keep');
    if (rule.isPaused === isPaused && rule.keepsPosts === keepsPosts) return;
    await setPaused(tx, ruleId, isPaused, keepsPosts);
    const [wasOpen, isOpen] = [!rule.isPaused || rule.keepsPosts, !isPaused || keepsPosts];
    if (wasOpen && !isOpen) await endInterval(tx, ruleId);
    if (!wasOpen && isOpen) await beginInterval(tx, ruleId);
    if (!isPaused) await wakeFirings(tx, ruleId);
    if (isOpen) await startWatches(tx, connectors, rule.from);
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
  const identities = await queuedIdentities(tx, [ruleId]);
  await lockLanes(tx, identities);
  await lockQueuedTargets(tx, [ruleId]);
  if ((await lockRule(tx, userId, ruleId)) === undefined) throw new ReelayError('unknown_rule');
  const known = new Set(identities);
  if ((await queuedIdentities(tx, [ruleId])).some((identity) => !known.has(identity))) return false;
  await removeRules(tx, [ruleId]);
  await giveBackRemoved(tx, userId, await removeUnbegun(tx, [ruleId]));
  return true;
}
