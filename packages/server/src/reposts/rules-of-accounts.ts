/** What happens to rules when an account is disconnected. */
import type { RulesOfAccounts } from '../accounts/types.ts';
import type { Transaction } from '../db/database.ts';
import { giveBackRemoved } from '../plans/service.ts';
import { lockQueuedTargets, queuedIdentities, removeRules, removeUnbegun } from './rule-store.ts';

/** Passed to the accounts, which know no rules. */
export const RULES_OF_ACCOUNTS: RulesOfAccounts = { queuedBy, remove };

/** Returns the identities that this account's rules have queued reposts for. Index: rule_source. */
async function queuedBy(tx: Transaction, accountId: string): Promise<string[]> {
  const rules = await tx.query<{ id: string }>('select id from rule where from_account = $1', [accountId]);
  return queuedIdentities(tx, idsOf(rules));
}

/**
 * Deletes the rules that have this account as their source, with their queued reposts that have not started. Removes
 * the account from other rules' destinations, and deletes rules left without a destination.
 * @param account.lanes identities whose lanes are locked
 * @returns false if reposts are queued for other identities too; then the transaction must not be committed
 */
async function remove(
  tx: Transaction,
  { userId, accountId, lanes }: { userId: string; accountId: string; lanes: readonly string[] },
): Promise<boolean> {
  const rules = await lockRules(tx, accountId);
  const sourced = idsOf(rules.filter(({ source }) => source));
  if ((await queuedIdentities(tx, sourced)).some((identity) => !lanes.includes(identity))) return false;
  if (sourced.length > 0) {
    await lockQueuedTargets(tx, sourced);
    await removeRules(tx, sourced);
    await giveBackRemoved(tx, userId, await removeUnbegun(tx, sourced));
  }
  await tx.execute('delete from rule_destination where account_id = $1', [accountId]);
  await tx.execute(
    `delete from rule r where r.id = any($1::uuid[])
       and not exists (select 1 from rule_destination d where d.rule_id = r.id)`,
    [idsOf(rules)],
  );
  return true;
}

/** Locks the rules that involve the account, ordered by id. Indexes: rule_source, rule_destination_account. */
function lockRules(tx: Transaction, accountId: string): Promise<{ id: string; source: boolean }[]> {
  return tx.query(
    `select r.id, r.from_account = $1 as source from rule r
     where r.from_account = $1
       or exists (select 1 from rule_destination d where d.rule_id = r.id and d.account_id = $1)
     order by r.id for update`,
    [accountId],
  );
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);
