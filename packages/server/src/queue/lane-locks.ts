/** Locks lanes and sets their due time, for transactions outside a worker that add or change targets. */
import type { Queryable } from '../db/database.ts';

/**
 * Locks lanes in the global lock order: lanes by id, then targets, rules, budgets and counters. Call it first in every
 * transaction that inserts or changes targets outside a worker.
 */
export async function lockLanes(tx: Queryable, identityIds: readonly string[]): Promise<void> {
  await tx.query('select 1 from lane where identity_id = any($1::uuid[]) order by identity_id for update', [
    [...new Set(identityIds)],
  ]);
}

/** Call in every transaction that inserts targets or changes their due time, after {@link lockLanes}. */
export async function lowerLanes(tx: Queryable, identityIds: readonly string[], userId: string): Promise<void> {
  await tx.execute(
    `update lane l set user_id = $2,
       next_due_at = least(l.next_due_at, (select min(t.due_at) from target t
                                           where t.identity_id = l.identity_id and t.due_at is not null))
     where l.identity_id = any($1::uuid[])`,
    [[...new Set(identityIds)], userId],
  );
}
