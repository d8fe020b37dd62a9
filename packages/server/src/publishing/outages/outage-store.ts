/** Targets that wait because a server failed, and the probe of each such server. */
import type { Queryable, Transaction } from '../../db/database.ts';
import type { FailureCause } from '../../outbound/platform-error.ts';

/** A platform, or one server of a platform that has many. */
export interface Server {
  platform: string;
  service: string;
  sandbox: boolean;
}

/** Targets of a server wait, and all failed for this cause. */
export interface Outage extends Server {
  cause: FailureCause;
}

export interface WaitingTarget {
  id: string;
  identityId: string;
}

/** Targets in trouble that one statement visits, over all servers. */
const MAX_VISITED = 10_000;
/** A target is not moved again within this time, in s: a server that fails again and again is not asked more often. */
const MOVES_APART = 300;
/** Waits that end later, in s, are not for the server: quiet hours, or a limit of the platform. */
const LONGEST_WAIT = 4_000;

const onServer = `a.platform = $1 and a.service = $2 and a.sandbox = $3`;
const WAITS = `t.trouble is not null and t.due_at is not null and t.state in ('waiting', 'confirming', 'unknown')
  and t.due_at > app_now() and t.due_at < app_now() + interval '${LONGEST_WAIT} seconds'
  and coalesce((t.trouble->>'movedAt')::double precision, 0) < (extract(epoch from app_now()) - ${MOVES_APART}) * 1000`;

/** Finds which of these servers have waiting targets, and for which causes. Index: target_trouble. */
export function readOutages(db: Queryable, servers: readonly Server[]): Promise<Outage[]> {
  return db.query<Outage>(
    `select distinct a.platform, a.service, a.sandbox, t.cause
     from (select t.account_id, t.trouble->>'cause' as cause from target t
           where ${WAITS} and t.trouble->>'cause' is not null limit ${MAX_VISITED}) t
       join account a on a.id = t.account_id
       join unnest($1::text[], $2::text[], $3::boolean[]) s (platform, service, sandbox)
         on s.platform = a.platform and s.service = a.service and s.sandbox = a.sandbox`,
    [servers.map(({ platform }) => platform), servers.map(({ service }) => service), servers.map((s) => s.sandbox)],
  );
}

/** Waiting targets of an outage, those with the fewest failures first. Index: target_trouble. */
export function readWaiting(
  db: Queryable,
  { platform, service, sandbox, cause }: Outage,
  limit: number,
): Promise<WaitingTarget[]> {
  return db.query<WaitingTarget>(
    `select t.id, t.identity_id as "identityId" from target t join account a on a.id = t.account_id
     where ${onServer} and t.trouble->>'cause' = $4 and ${WAITS}
     order by (t.trouble->>'attempts')::integer, t.due_at, t.id limit $5`,
    [platform, service, sandbox, cause, limit],
  );
}

/**
 * `none`: no probe within `withinMs`, or it has failed, so another one may start. `pending`: it is being tried, or started
 * less than `apartMs` ago. `published`: its server has accepted it.
 */
export type ProbeState = 'none' | 'pending' | 'published';

export interface ProbeTimes {
  apartMs: number;
  withinMs: number;
}

/** Judges the probe of an outage by its target. Indexes: primary keys. */
export async function readProbe(db: Queryable, outage: Outage, { apartMs, withinMs }: ProbeTimes): Promise<ProbeState> {
  const [row] = await db.query<{ state: ProbeState }>(
    `select case
       when p.at < app_now() - $6 * interval '1 millisecond' then 'none'
       when t.state = 'posted' or (t.state = 'confirming' and t.trouble is null) then 'published'
       when p.at > app_now() - $5 * interval '1 millisecond' then 'pending'
       when t.id is null or t.due_at is null or (t.trouble is not null and t.due_at > app_now()) then 'none'
       else 'pending' end as state
     from outage_probe p left join target t on t.id = p.target_id
     where p.platform = $1 and p.service = $2 and p.sandbox = $3 and p.cause = $4`,
    [outage.platform, outage.service, outage.sandbox, outage.cause, apartMs, withinMs],
  );
  return row?.state ?? 'none';
}

/**
 * Makes a target the probe of an outage, and deletes probes of the past. Only one of several workers succeeds: the others
 * wait for its transaction and then find a probe that is new.
 * @returns false if another worker was first
 */
export async function claimProbe(
  tx: Transaction,
  { platform, service, sandbox, cause }: Outage,
  targetId: string,
  { apartMs }: ProbeTimes,
): Promise<boolean> {
  await tx.execute(`delete from outage_probe where at < app_now() - interval '1 hour'`);
  const rows = await tx.query(
    `insert into outage_probe as p (platform, service, sandbox, cause, target_id) values ($1, $2, $3, $4, $5)
     on conflict (platform, service, sandbox, cause) do update set target_id = excluded.target_id, at = excluded.at
       where p.at <= excluded.at - $6 * interval '1 millisecond'
     returning 1`,
    [platform, service, sandbox, cause, targetId, apartMs],
  );
  return rows.length > 0;
}

/** Ends a probe. @returns false if another worker has ended it */
export async function endProbe(db: Queryable, { platform, service, sandbox, cause }: Outage): Promise<boolean> {
  const count = await db.execute(
    'delete from outage_probe where platform = $1 and service = $2 and sandbox = $3 and cause = $4',
    [platform, service, sandbox, cause],
  );
  return count > 0;
}

/**
 * Moves the next try of targets that still wait forward, to `afterMs[i]` from now. The version grows, so that a worker with
 * an older read cannot write. Call it after `lockLanes`. Index: primary key.
 * @returns the targets that were moved
 */
export function moveForward(
  tx: Transaction,
  targets: readonly WaitingTarget[],
  cause: FailureCause,
  afterMs: readonly number[],
): Promise<WaitingTarget[]> {
  return tx.query<WaitingTarget>(
    `update target t set due_at = app_now() + m.after * interval '1 millisecond', version = t.version + 1,
       trouble = t.trouble || jsonb_build_object('movedAt', floor(extract(epoch from app_now()) * 1000))
     from unnest($1::uuid[], $2::float8[]) as m (id, after)
     where t.id = m.id and ${WAITS} and t.trouble->>'cause' = $3 and t.due_at > app_now() + m.after * interval '1 millisecond'
     returning t.id, t.identity_id as "identityId"`,
    [targets.map(({ id }) => id), afterMs, cause],
  );
}
