/**
 * Lanes: per-identity leases that allow at most one active worker. A claim updates the row it locks, so two workers
 * cannot hold the same lane. Each claim increments the fencing token; writes with an older token change nothing.
 */
import type { Database, Queryable } from '../db/database.ts';
import { type Limits, NO_LIMITS } from '../queue/shares.ts';

/** Lease duration and renewal interval. */
export const LEASE_MS = 10_000;
export const RENEW_EVERY_MS = 3_000;

/** A lane that this worker holds. */
export interface Lane {
  identityId: string;
  userId: string;
  /** Whether the account is on a server that its user named. */
  ownServer: boolean;
  fence: number;
  /** The target the lane was claimed for; null when none is due any more. */
  inHand: string | null;
  /** The target in progress when the previous holder disappeared without releasing the lane. */
  crashedWith: string | null;
}

/**
 * Selects the target a lane is claimed for. A target in `committing` comes first: its send has no recorded end and
 * blocks other sends. Otherwise the target due longest. Indexes: target_one_commit, target_due.
 */
const NEXT = `coalesce(
         (select t.id from target t where t.identity_id = l.identity_id and t.state = 'committing'),
         (select t.id from target t where t.identity_id = l.identity_id and t.due_at <= app_now()
          order by t.due_at, t.id limit 1))`;

/** Shares of this worker's slots. */
export interface ClaimLimits extends Limits {
  /** Lanes this process still works on, although their lease may have expired. */
  running: readonly string[];
}

export interface ClaimedLanes {
  lanes: Lane[];
  /** More lanes are due than were claimed. */
  more: boolean;
}

const UNLIMITED: ClaimLimits = { ...NO_LIMITS, running: [] };

/**
 * Claims up to `limit` due lanes, longest due first, and at most a share per user. Index: lane_due.
 * The share applies to the longest due lanes of users below it. A user with thousands of due lanes fills the share in
 * one claim and is skipped in the next. Numbers are literals, so that a generic plan knows they are small. With 3,000 due
 * lanes, a claim takes 2.5 ms of PostgreSQL's CPU time, for one lane or for sixteen.
 * An expired lease counts as a crash of its target unless the holder is known to be alive. It is alive if it is this
 * worker, or if it renewed other leases after this one could no longer be renewed.
 */
export async function claimLanes(
  db: Queryable,
  workerId: string,
  limit: number,
  limits: ClaimLimits = UNLIMITED,
): Promise<ClaimedLanes> {
  const { held, share, ownServers, running } = limits;
  const rows = await db.query<Lane & { seen: number }>(
    `with candidate as materialized (
       select identity_id, user_id, own_server, next_due_at from lane
       where next_due_at <= app_now() and (lease_until is null or lease_until <= app_now())
         and user_id <> all($3::uuid[]) and identity_id <> all($4::uuid[]) and ($9 > 0 or not own_server)
       order by next_due_at limit 128),
     ranked as (
       select c.identity_id, c.next_due_at, c.own_server, coalesce(h.lanes, 0) + row_number() over
         (partition by c.user_id order by c.next_due_at, c.identity_id) as place
       from candidate c left join unnest($5::uuid[], $6::integer[]) as h (user_id, lanes) on h.user_id = c.user_id),
     fair as (
       select identity_id, next_due_at, own_server, row_number() over
         (partition by own_server order by next_due_at, identity_id) as place
       from ranked where place <= $7),
     due as materialized (
       select l.identity_id, l.lease_until, l.in_hand, l.worker_id
       from fair r join lane l on l.identity_id = r.identity_id
       where (not r.own_server or r.place <= $9) and l.next_due_at <= app_now() and (l.lease_until is null or l.lease_until <= app_now())
       order by r.next_due_at limit $2 for update of l skip locked)
     update lane l set lease_until = app_now() + $8 * interval '1 millisecond', fence = l.fence + 1, worker_id = $1,
       in_hand = ${NEXT}
     from due where l.identity_id = due.identity_id
     returning l.identity_id as "identityId", l.user_id as "userId", l.own_server as "ownServer", l.fence,
       l.in_hand as "inHand", case when due.lease_until is not null and due.worker_id is distinct from $1 and not exists (
         select from worker w where w.id = due.worker_id and w.stopped_at is null
           and w.heartbeat_at > due.lease_until - $8 / 2 * interval '1 millisecond') then due.in_hand end as "crashedWith",
       (select count(*) from candidate) as seen`,
    [
      workerId,
      limit,
      [...held].flatMap(([user, lanes]) => (lanes >= share ? [user] : [])),
      running,
      [...held.keys()],
      [...held.values()],
      share,
      LEASE_MS,
      ownServers,
    ],
  );
  return {
    lanes: rows.map(({ seen: _, ...lane }) => lane),
    more: (rows[0]?.seen ?? 0) > rows.length,
  };
}

/**
 * Marks the next due target of a held lane as in progress.
 * @returns its id; null when none is due or the lane is lost
 */
export async function nextInHand(db: Queryable, lane: Lane): Promise<string | null> {
  const [row] = await db.query<{ inHand: string | null }>(
    `update lane l set in_hand = ${NEXT}
     where identity_id = $1 and fence = $2 returning in_hand as "inHand"`,
    [lane.identityId, lane.fence],
  );
  return row?.inHand ?? null;
}

/**
 * `locked`: another transaction holds the row lock, so the row was skipped. `lost`: another worker claimed the lane.
 */
export type Renewal = 'kept' | 'locked' | 'lost';

/**
 * Extends leases and never shortens them. Rows are locked in id order and locked rows are skipped, so that one locked
 * row does not delay the others. An expired lease is renewed too, unless another worker claimed the lane.
 * @param aliveAs the worker whose heartbeat is updated in the same statement; null: none
 */
export async function renewLanes(
  db: Queryable,
  lanes: readonly Lane[],
  aliveAs: string | null,
): Promise<Map<string, Renewal>> {
  const rows = await db.query<{ id: string; renewal: Renewal }>(
    `with held as materialized (
       select identity_id, fence from unnest($1::uuid[], $2::bigint[]) as held (identity_id, fence)),
     mine as materialized (
       select l.identity_id from lane l join held h on l.identity_id = h.identity_id
       where l.fence = h.fence and l.lease_until is not null
       order by l.identity_id for update of l skip locked),
     renewed as (
       update lane l set lease_until = greatest(l.lease_until, app_now() + $3 * interval '1 millisecond')
       from mine where l.identity_id = mine.identity_id returning l.identity_id),
     beat as (update worker set heartbeat_at = app_now() where id = $4)
     select h.identity_id as id, case when r.identity_id is not null then 'kept'
       when exists (select from lane l where l.identity_id = h.identity_id and l.fence = h.fence and l.lease_until is not null)
       then 'locked' else 'lost' end as renewal
     from held h left join renewed r on r.identity_id = h.identity_id`,
    [lanes.map((lane) => lane.identityId), lanes.map((lane) => lane.fence), LEASE_MS, aliveAs],
  );
  return new Map(rows.map((row) => [row.id, row.renewal]));
}

/**
 * Releases lanes. Uses two statements: in one, the subselect would read a snapshot from before the wait for the row
 * lock and miss a target inserted meanwhile. A lane with more due work goes to the end of the queue, so that lanes take
 * turns. Its due time becomes now instead of the time of its oldest target.
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
 * Repairs lanes whose due time is later than their earliest open target. Should never find one. Skips lanes that are
 * held or locked: their release recomputes the time.
 * @returns number of lanes repaired
 */
export async function repairLanes(db: Queryable): Promise<number> {
  return db.execute(
    `with due as materialized (
       select identity_id, min(due_at) as at from target where due_at is not null group by identity_id),
     late as materialized (
       select l.identity_id, due.at from lane l join due on due.identity_id = l.identity_id
       where l.lease_until is null and (l.next_due_at is null or l.next_due_at > greatest(due.at, app_now()))
       order by l.identity_id for update of l skip locked)
     update lane l set next_due_at = late.at from late where l.identity_id = late.identity_id`,
  );
}
