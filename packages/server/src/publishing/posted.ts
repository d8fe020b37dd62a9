/** The transaction that records a target as posted and adds its outbox events. */
import { type Database, sqlState, type Transaction } from '../db/database.ts';
import type { Sealer } from '../seal.ts';
import { claimPlacement } from './placement.ts';
import type { Transition } from './target.ts';
import { writeTarget, writeUnfollowed } from './target-store.ts';
import type { Task } from './task.ts';

/**
 * Writes `posted`, the placement, and one event for each rule that was active when the content was published. The
 * placement claims the remote id. If another post of this identity has it, the id is not ours.
 * @returns `stale` when nothing was written because the lane was lost, `taken` when the remote id belongs to another
 * post
 */
export async function writePosted(
  db: Database,
  sealer: Sealer,
  task: Task,
  transition: Transition,
): Promise<'written' | 'stale' | 'taken'> {
  const atOnce = await writeUnfollowed(db, sealer, task, transition).catch((error) => {
    // Another transaction claimed the remote id while this statement waited for the lane. A new statement sees that
    // claim.
    if (sqlState(error) === UNIQUE_VIOLATION) return 'followed' as const;
    throw error;
  });
  if (atOnce !== 'followed') return atOnce;
  let result: 'written' | 'stale' | 'taken' = 'stale';
  await db
    .transaction(async (tx) => {
      result = 'stale';
      if (!(await writeTarget(tx, sealer, task, transition))) return;
      if (!(await claimPlacement(tx, task.target.id))) {
        result = 'taken';
        throw new RemoteIdTaken();
      }
      await recordConsequences(tx, task.target.id);
      result = 'written';
    })
    .catch((error) => {
      if (!(error instanceof RemoteIdTaken)) throw error;
    });
  return result;
}

const UNIQUE_VIOLATION = '23505';

class RemoteIdTaken extends Error {}

/** Platforms report whole seconds or have wrong clocks. `greatest` and `least` ignore null. */
const MOMENT = 'least(greatest(t.published_at, t.committed_at), app_now())';

/**
 * Adds one event for each rule of the source account that was active when the content was published. That is the
 * platform's publish time, but not before our send and not in the future. Rules are locked first, so a concurrent pause
 * comes entirely before or after. A later statement reads the intervals and sees that pause.
 */
export async function recordConsequences(tx: Transaction, targetId: string): Promise<void> {
  const rules = await tx.query<{ id: string }>(
    `select r.id from rule r join target t on t.account_id = r.from_account where t.id = $1 order by r.id for share of r`,
    [targetId],
  );
  if (rules.length === 0) return;
  await tx.execute(
    `insert into event (kind, once, user_id, payload)
     select 'rule', 'rule ' || r.id || ' ' || t.id, r.user_id, jsonb_build_object('ruleId', r.id, 'targetId', t.id)
     from target t join rule r on r.id = any($2::uuid[])
     where t.id = $1 and exists (select 1 from rule_interval i where i.rule_id = r.id
       and i.active_from <= ${MOMENT} and (i.active_to is null or i.active_to > ${MOMENT}))
     on conflict (once) do nothing`,
    [targetId, rules.map((rule) => rule.id)],
  );
}
