/**
 * Lanes: at most one worker at a time acts on an identity. A claim writes the very row that it locks, so two workers
 * can never hold one lane; the fence grows with each claim, and whoever comes with an older one changes nothing.
 */
import type { Database, Queryable } from '../db/database.ts';

/** How long a lease lasts unless it is renewed, and how often it is. */
export const LEASE_MS = 10_000;
export const RENEW_EVERY_MS = 3_000;

/** A lane that this worker holds. */
export interface Lane {
  identityId: string;
  userId: string;
  fence: number;
  /** The target that the lane is held for; null when nothing of it is due any more. */
  inHand: string | null;
  /** What the last holder had in hand when it vanished without releasing. */
  crashedWith: string | null;
}

/**
 * What a lane is held for: a target whose send nobody noted the end of, which is the first thing to be cleared up and keeps
 * others from being sent; else the longest due. Indexes: target_one_commit, target_due.
 */
const NEXT = `coalesce(
         (select t.id from target t where t.identity_id = l.identity_id and t.state = 'committing'),
         (select t.id from target t where t.identity_id = l.identity_id and t.due_at <= app_now()
          order by t.due_at, t.id limit 1))`;

/**
 * Takes up to `limit` due lanes, longest due first. Index: lane_due.
 * @param busyUsers users who have their share of this worker already
 */
export async function claimLanes(
  db: Queryable,
  workerId: string,
  limit: number,
  busyUsers: readonly string[],
): Promise<Lane[]> {
  return db.query<Lane>(
    `with due as materialized (
       select identity_id, lease_until, in_hand from lane
       where next_due_at <= app_now() and (lease_until is null or lease_until <= app_now())
         and user_id <> all($3::uuid[])
       order by next_due_at limit $2 for update skip locked)
     update lane l set lease_until = app_now() + $4 * interval '1 millisecond', fence = l.fence + 1, worker_id = $1,
       in_hand = ${NEXT}
     from due where l.identity_id = due.identity_id
     returning l.identity_id as "identityId", l.user_id as "userId", l.fence, l.in_hand as "inHand",
       case when due.lease_until is not null then due.in_hand end as "crashedWith"`,
    [workerId, limit, busyUsers, LEASE_MS],
  );
}

/** The next due target of a lane that is held, noted as the one in hand; null: none, or the lane is lost. */
export async function nextInHand(db: Queryable, lane: Lane): Promise<string | null> {
  const [row] = await db.query<{ inHand: string | null }>(
    `update lane l set in_hand = ${NEXT}
     where identity_id = $1 and fence = $2 returning in_hand as "inHand"`,
    [lane.identityId, lane.fence],
  );
  return row?.inHand ?? null;
}

/** Prolongs leases, never shortens them. @returns identities of the lanes that are still held */
export async function renewLanes(db: Queryable, lanes: readonly Lane[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(
    `update lane l set lease_until = greatest(l.lease_until, app_now() + $3 * interval '1 millisecond')
     from unnest($1::uuid[], $2::bigint[]) as held (identity_id, fence)
     where l.identity_id = held.identity_id and l.fence = held.fence and l.lease_until is not null
     returning l.identity_id as id`,
    [lanes.map((lane) => lane.identityId), lanes.map((lane) => lane.fence), LEASE_MS],
  );
  return new Set(rows.map((row) => row.id));
}

/**
 * Gives lanes back. Two statements on purpose: in one, the sub-select would read a snapshot from before the wait for
 * the row's lock and miss a target that was inserted meanwhile. A lane with more due work goes to the end of the queue
 * (its time is now, not the time of its oldest target), so that lanes take turns.
 */
export async function releaseLanes(db: Database, lanes: readonly Lane[]): Promise<void> {
  const ids = lanes.map((lane) => lane.identityId);
  const fences = lanes.map((lane) => lane.fence);
  await db.transaction(async (tx) => {
    await tx.query(
      `select 1 from lane l join unnest($1::uuid[], $2::bigint[]) as held (identity_id, fence)
         on l.identity_id = held.identity_id and l.fence = held.fence
       order by l.identity_id for update of l`,
      [ids, fences],
    );
    await tx.execute(
      `update lane l set lease_until = null, worker_id = null, in_hand = null,
         next_due_at = (select greatest(min(t.due_at), app_now()) from target t
                        where t.identity_id = l.identity_id and t.due_at is not null having count(*) > 0)
       from unnest($1::uuid[], $2::bigint[]) as held (identity_id, fence)
       where l.identity_id = held.identity_id and l.fence = held.fence`,
      [ids, fences],
    );
  });
}

/**
 * Locks lanes in the order that everyone keeps to (lanes by id, then targets, then rules, then budgets and counters).
 * Call it first in any transaction that inserts or changes targets from outside a worker.
 */
export async function lockLanes(tx: Queryable, identityIds: readonly string[]): Promise<void> {
  await tx.query('select 1 from lane where identity_id = any($1::uuid[]) order by identity_id for update', [
    [...new Set(identityIds)],
  ]);
}

/** Whoever inserts or moves targets calls this in the same transaction, after {@link lockLanes}. */
export async function lowerLanes(tx: Queryable, identityIds: readonly string[], userId: string): Promise<void> {
  await tx.execute(
    `update lane l set user_id = $2,
       next_due_at = least(l.next_due_at, (select min(t.due_at) from target t
                                           where t.identity_id = l.identity_id and t.due_at is not null))
     where l.identity_id = any($1::uuid[])`,
    [[...new Set(identityIds)], userId],
  );
}

/** Lowers every lane that stands later than its earliest open target. Should never find one. @returns how many it found */
export async function repairLanes(db: Queryable): Promise<number> {
  return db.execute(
    `update lane l set next_due_at = due.at
     from (select identity_id, min(due_at) as at from target where due_at is not null group by identity_id) due
     where l.identity_id = due.identity_id and l.lease_until is null
       and (l.next_due_at is null or l.next_due_at > greatest(due.at, app_now()))`,
  );
}
