/** The transaction that records a post as public, with everything that follows from it as outbox rows. */
import { type Database, sqlState, type Transaction } from '../db/database.ts';
import type { Sealer } from '../seal.ts';
import { claimPlacement } from './placement.ts';
import { type Task, writeTarget, writeUnfollowed } from './store.ts';
import type { Transition } from './target.ts';

/**
 * Writes `posted`, the placement, and one event for each rule that was active at the content's moment.
 * The remote id is claimed by the placement: where another post of this identity holds it already, it is not ours.
 * @returns `stale` when nothing was written because the lane was lost, `taken` when the remote id belongs to another post
 */
export async function writePosted(
  db: Database,
  sealer: Sealer,
  task: Task,
  transition: Transition,
): Promise<'written' | 'stale' | 'taken'> {
  const atOnce = await writeUnfollowed(db, sealer, task, transition).catch((error) => {
    // Somebody else claimed the remote id while the statement waited for the lane: a later one sees it.
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

/** Platforms tell whole seconds, or have wrong clocks; `greatest` and `least` pass over what is null. */
const MOMENT = 'least(greatest(t.published_at, t.committed_at), app_now())';

/**
 * One event for each rule of the source account that was active at the content's moment: when the platform published it by
 * its own clock, but not before we sent it and not in the future. The rules are locked first, so a pause at the same
 * instant comes before or after us, and the intervals are read by a later statement that sees what it did.
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
