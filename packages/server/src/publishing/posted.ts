/** The transaction that records a post as public, with everything that follows from it as outbox rows. */
import type { Database, Transaction } from '../db/database.ts';
import type { Sealer } from '../seal.ts';
import { type Task, writeTarget } from './store.ts';
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

class RemoteIdTaken extends Error {}

/** Puts our post into the book that is never emptied. @returns false when another post has this remote id */
export async function claimPlacement(tx: Transaction, targetId: string): Promise<boolean> {
  const taken = await tx.query(
    `select 1 from placement p join target t on t.identity_id = p.identity_id and t.remote_id = p.remote_id
     where t.id = $1 and p.target_id <> t.id`,
    [targetId],
  );
  if (taken.length > 0) return false;
  await tx.execute(
    `insert into placement (origin_id, identity_id, target_id, remote_id, duration_ms, normal_text, published_at)
     select t.origin_id, t.identity_id, t.id, t.remote_id, (m.facts->>'durationMs')::float8::integer,
       lower(regexp_replace(btrim(p.description), '\\s+', ' ', 'g')), coalesce(t.published_at, app_now())
     from target t join post p on p.id = t.post_id join media m on m.id = p.media_id where t.id = $1
     on conflict (target_id) do update set remote_id = excluded.remote_id, published_at = excluded.published_at`,
    [targetId],
  );
  return true;
}

/**
 * One event for each rule of the source account that was active at the content's moment: when the platform published
 * it, else when it was sent. The rules are locked first, so a pause at the same instant comes before or after us, and
 * the intervals are read by a later statement that sees what it did.
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
       and i.active_from <= coalesce(t.published_at, t.committed_at, app_now())
       and (i.active_to is null or i.active_to > coalesce(t.published_at, t.committed_at, app_now())))
     on conflict (once) do nothing`,
    [targetId, rules.map((rule) => rule.id)],
  );
}
