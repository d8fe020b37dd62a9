/** What disconnecting an account does to repost rules. Call it with the lanes locked. */
import type { Transaction } from '../db/database.ts';
import { giveBack } from '../plans/service.ts';
import { lockQueuedTargets, queuedIdentities, removeRule, removeUnbegun, uncountHistory } from '../reposts/store.ts';

/** Identities that reposts by this account's rules are queued for. Index: rule_source. */
export async function queuedByRulesOf(tx: Transaction, accountId: string): Promise<string[]> {
  const rules = await tx.query<{ id: string }>('select id from rule where from_account = $1', [accountId]);
  const found: string[] = [];
  for (const { id } of rules) found.push(...(await queuedIdentities(tx, id)));
  return found;
}

/**
 * Deletes the rules that it is the source of, with their queued reposts of which nothing has begun; takes it out of the
 * others and deletes those that are left without a destination.
 * @param account.lanes identities whose lanes are locked
 * @returns false when reposts are queued for others too; then nothing may be committed
 */
export async function removeRulesOf(
  tx: Transaction,
  { userId, accountId, lanes }: { userId: string; accountId: string; lanes: readonly string[] },
): Promise<boolean> {
  const rules = await lockRules(tx, accountId);
  for (const { id, source } of rules) {
    if (!source) continue;
    if ((await queuedIdentities(tx, id)).some((identity) => !lanes.includes(identity))) return false;
    await lockQueuedTargets(tx, id);
    await removeRule(tx, id);
    const removed = await removeUnbegun(tx, id);
    for (const { created_at } of removed) await giveBack(tx, userId, created_at);
    if (removed.length > 0) await uncountHistory(tx, userId, removed.length);
  }
  await tx.execute('delete from rule_destination where account_id = $1', [accountId]);
  await tx.execute(
    `delete from rule r where r.id = any($1::uuid[])
       and not exists (select 1 from rule_destination d where d.rule_id = r.id)`,
    [rules.map((rule) => rule.id)],
  );
  return true;
}

/** Rules that it is in, in the order of their ids. Indexes: rule_source, rule_destination_account. */
function lockRules(tx: Transaction, accountId: string): Promise<{ id: string; source: boolean }[]> {
  return tx.query(
    `select r.id, r.from_account = $1 as source from rule r
     where r.from_account = $1
       or exists (select 1 from rule_destination d where d.rule_id = r.id and d.account_id = $1)
     order by r.id for update`,
    [accountId],
  );
}
