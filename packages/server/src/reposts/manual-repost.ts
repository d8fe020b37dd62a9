/** Reposts one item of a rule's activity because its user asks for it. */
import type { Database } from '../db/database.ts';
import { apiError, ReelayError } from '../errors/reelay-error.ts';
import { isUuid } from '../lib/ids.ts';
import { decideOrigins, JoinNeeded, splitOrigin } from '../lineage/origins.ts';
import type { MessageRenderer } from '../messages/message.ts';
import { type FileSources, requestFile } from './content-store.ts';
import { canDownloadAgain, decide } from './decide.ts';
import { decisionFacts, readFacts } from './decision-facts.ts';
import { findFiring, releaseByHand, shareRule } from './firing-store.ts';
import { completeOptions } from './options/rule-options.ts';
import { ownsRule } from './rule-store.ts';

/**
 * Makes a skipped or waiting item due now, regardless of the filters, times and limits of its rule. Also works while the
 * rule is paused.
 * @throws ReelayError `unknown_rule`, `unknown_item`, `not_repostable` with the reason
 */
export async function repostByHand(
  deps: FileSources & { db: Database; renderMessage: MessageRenderer },
  userId: string,
  { ruleId, itemId }: { ruleId: string; itemId: string },
): Promise<void> {
  if (!isUuid(ruleId)) throw new ReelayError('unknown_rule');
  await decideOrigins(deps.db, async (tx, canJoin) => {
    const rule = (await ownsRule(tx, userId, ruleId)) ? await shareRule(tx, ruleId) : undefined;
    if (!rule) throw new ReelayError('unknown_rule');
    const firing = isUuid(itemId) ? await findFiring(tx, ruleId, itemId) : undefined;
    if (!firing) throw new ReelayError('unknown_item');
    if (firing.state === 'reposted') throw apiError('item_reposted');
    // The user says that it is no copy.
    if (firing.reason?.code === 'echo') {
      if (!canJoin) throw new JoinNeeded();
      await splitOrigin(tx, firing);
    }
    const row = { ...firing, by_hand: true };
    const options = completeOptions(rule.options);
    const facts = await readFacts(tx, deps, { row, options, now: rule.now.getTime(), shown: null, canJoin });
    const decision = decide(await decisionFacts(tx, deps, facts));
    if (decision.then === 'skip') {
      if (!canDownloadAgain(facts.found?.content ?? null))
        throw apiError('item_not_repostable', { reason: decision.reason });
      await requestFile(tx, row, options.fit ?? '');
    }
    // Reposted meanwhile.
    if (!(await releaseByHand(tx, itemId))) throw apiError('item_reposted');
  });
}
