/** Locks lanes and sets their due time, for transactions outside a worker that add or change targets. */
import type { Queryable } from '../db/database.ts';
import { listParameter } from '../db/list-parameter.ts';

/**
 * Locks lanes in the global lock order: lanes by id, then targets, rules, budgets and counters. Call it first in every
 * transaction that inserts or changes targets outside a worker.
 */
export async function lockLanes(tx: Queryable, identityIds: readonly string[]): Promise<void> {
  await tx.query(`select 1 from lane where identity_id = any(${listParameter('$1')}) order by identity_id for update`, [
    [...new Set(identityIds)],
  ]);
}

/**
 * Call in every transaction that inserts targets or changes their due time, after {@link lockLanes}.
 * @param userId whose share the lanes count in from now on; null: the same user's
 */
export async function lowerLanes(tx: Queryable, identityIds: readonly string[], userId: string | null): Promise<void> {
  await tx.execute(
    `update lane l set user_id = coalesce($2, user_id),
       next_due_at = least(l.next_due_at, (select min(t.due_at) from target t
                                           where t.identity_id = l.identity_id and t.due_at is not null))
     where l.identity_id = any(${listParameter('$1')})`,
    [[...new Set(identityIds)], userId],
  );
}
