/** Writes targets. Every write checks the lane's fencing token and the version the decision was based on. */
import type { Queryable } from '../db/database.ts';
import type { Sealer } from '../lib/encryption/seal.ts';
import { placement } from '../lineage/placement.ts';
import { checkpointToStore } from './checkpoint.ts';
import { assignments, fieldsOf, parameters, writeFields } from './columns.ts';
import { storedEntry, storedMoment, storedTexts, storedTrouble } from './stored-texts.ts';
import { STATE_COLUMNS, type Target, type TargetState, type Transition } from './target.ts';
import type { Task } from './task.ts';

const NAMES = [
  'id',
  'identityId',
  'fence',
  'version',
  ...fieldsOf(STATE_COLUMNS),
  'events',
  'codes',
  'params',
  'platformCodes',
] as const;
const WRITE = parameters(NAMES);
/** `leaseMs` comes last, so that all other parameters have the same numbers in both. */
const WRITE_AND_PROLONG = parameters([...NAMES, 'leaseMs']);
const { at } = WRITE_AND_PROLONG;

/**
 * Common start of all writes by a lane's holder: the updated row and its timeline lines.
 * @param lane proves that the lane is still held
 * @param also additional condition
 */
const writing = (lane: string, also = '') => `
  with held as (${lane}),
  written as (update target t set ${assignments(STATE_COLUMNS, at)}, version = version + 1,
      settled_at = case when ${at('dueAt')}::timestamptz is null then app_now() end
    where t.id = ${at('id')} and t.version = ${at('version')} and exists (select from held) ${also} returning t.*),
  told as (insert into timeline (target_id, event, code, params, platform_code)
    select written.id, e.event, e.code, e.params, e.platform from written,
      unnest(${at('events')}::text[], ${at('codes')}::text[], ${at('params')}::jsonb[], ${at('platformCodes')}::text[])
      with ordinality as e (event, code, params, platform, n) order by e.n)`;

const HELD = `identity_id = ${at('identityId')} and fence = ${at('fence')}`;
const HOLD = `select 1 from lane where ${HELD} for update`;
const PROLONG = `update lane set lease_until = greatest(lease_until, app_now() + ${at('leaseMs')} * interval '1 millisecond')
  where ${HELD} returning 1`;
const takenBy = (remoteId: string) => `exists (select from placement p
  where p.identity_id = t.identity_id and p.remote_id = ${remoteId} and p.target_id is distinct from t.id)`;
const TAKEN = takenBy(at('remoteId'));
const FOLLOWED = 'exists (select from rule r where r.from_account = t.account_id)';

const WRITE_TARGET = `${writing(HOLD)} select id from written`;
const WRITE_TARGET_AND_PROLONG = `${writing(PROLONG)} select id from written`;
const WRITE_UNFOLLOWED = `${writing(HOLD, `and not ${TAKEN} and not ${FOLLOWED}`)}, placed as (${placement('written')})
  select exists (select from written) as written, ${TAKEN} as taken, ${FOLLOWED} as followed
  from target t where id = ${at('id')}`;

/** Decisions that one statement writes at the most. */
export const MAX_WRITES = 16;

/**
 * Each row of `given` has the columns of a target that a write reads. Without a limit, PostgreSQL expects a hundred rows in
 * the JSON, and reads all targets of a small table instead of the given ones.
 */
const WRITE_TARGETS = `
  with given as materialized (
    select * from json_populate_recordset(null::target, $1::json) limit ${MAX_WRITES}),
  lease as materialized (select * from unnest($2::uuid[], $3::bigint[], $4::float8[]) as e (identity_id, fence, ms)),
  held as materialized (
    select l.identity_id, e.ms from lane l join lease e on e.identity_id = l.identity_id and e.fence = l.fence
    order by l.identity_id for update of l skip locked),
  prolonged as (
    update lane l set lease_until = greatest(l.lease_until, app_now() + h.ms * interval '1 millisecond')
    from held h where l.identity_id = h.identity_id and h.ms is not null),
  written as (
    update target t set ${assignments(STATE_COLUMNS, (field) => `g.${STATE_COLUMNS[field].name}`)}, version = t.version + 1,
      settled_at = case when g.due_at is null then app_now() end
    from given g join held h on h.identity_id = g.identity_id
    where t.id = g.id and t.version = g.version
      and (g.state <> 'posted' or (not ${takenBy('g.remote_id')} and not ${FOLLOWED})) returning t.*),
  placed as (${placement("(select * from written where state = 'posted')")}),
  told as (
    insert into timeline (target_id, event, code, params, platform_code)
    select w.id, e.event, e.code, e.params, e.platform
    from written w join unnest($5::uuid[], $6::text[], $7::text[], $8::jsonb[], $9::text[])
      with ordinality as e (id, event, code, params, platform, n) on e.id = w.id order by e.n)
  select g.id, case when exists (select from written w where w.id = g.id) then 'written'
      when not exists (select from held h where h.identity_id = g.identity_id) then (select case when count(*) > 0
        then 'locked' else 'stale' end from lane l join lease e using (identity_id, fence) where l.identity_id = g.identity_id)
      when g.state <> 'posted' then 'stale' when ${takenBy('g.remote_id')} then 'taken'
      when ${FOLLOWED} then 'followed' else 'stale' end as result
  from given g join target t on t.id = g.id`;

/**
 * Writes a decision under the lane's fencing token.
 * @param leaseMs extends the lease by this much from now, in the same statement
 * @returns false when the lane was lost or the target has changed: nothing was written
 */
export async function writeTarget(
  db: Queryable,
  sealer: Sealer,
  task: Task,
  transition: Transition,
  leaseMs: number | null = null,
): Promise<boolean> {
  const values = valuesOf(sealer, task, transition);
  const rows =
    leaseMs === null
      ? await db.query(WRITE_TARGET, WRITE.values(values))
      : await db.query(WRITE_TARGET_AND_PROLONG, WRITE_AND_PROLONG.values({ ...values, leaseMs }));
  return rows.length > 0;
}

/** `stale`: the lane was lost or the target has changed. For `taken` and `followed` see {@link writeUnfollowed}. */
export type WriteResult = 'written' | 'stale' | 'taken' | 'followed';

/**
 * Writes `posted` together with its placement in one statement; a transaction needs six. Nothing is written if the
 * remote id belongs to another post (`taken`) or if rules follow the account (`followed`). The effects of rules need a
 * later snapshot than that of this statement.
 */
export async function writeUnfollowed(
  db: Queryable,
  sealer: Sealer,
  task: Task,
  transition: Transition,
): Promise<WriteResult> {
  const [row] = await db.query<{ written: boolean; taken: boolean; followed: boolean }>(
    WRITE_UNFOLLOWED,
    WRITE.values(valuesOf(sealer, task, transition)),
  );
  if (!row) return 'stale';
  if (row.written) return 'written';
  if (row.taken) return 'taken';
  return row.followed ? 'followed' : 'stale';
}

/** A decision, as {@link writeTarget} and {@link writeUnfollowed} take it. */
export interface TargetWrite {
  task: Task;
  transition: Transition;
  leaseMs: number | null;
}

/**
 * Writes several decisions in one statement and one commit, each under the fencing token of its lane: those to `posted` as
 * {@link writeUnfollowed} does, the others as {@link writeTarget}. Lanes are locked in the order of their ids. A lane that
 * another transaction has locked is left out (`locked`), so that it does not delay the others.
 * @param writes at most {@link MAX_WRITES}, of different lanes
 * @returns results by the ids of the targets; a target that was deleted has none
 */
export async function writeTargets(
  db: Queryable,
  sealer: Sealer,
  writes: readonly TargetWrite[],
): Promise<ReadonlyMap<string, WriteResult | 'locked'>> {
  if (writes.length > MAX_WRITES) throw new Error(`A statement writes at most ${MAX_WRITES} targets.`);
  const given = writes.map(({ task, transition }) => valuesOf(sealer, task, transition));
  const lines = given.flatMap(({ id, events, codes, params, platformCodes }) =>
    events.map((event, n) => ({ id, event, code: codes[n], params: params[n], platformCode: platformCodes[n] })),
  );
  const rows = await db.query<{ id: string; result: WriteResult | 'locked' }>(WRITE_TARGETS, [
    JSON.stringify(given.map(rowOf)),
    given.map(({ identityId }) => identityId),
    given.map(({ fence }) => fence),
    writes.map(({ leaseMs }) => leaseMs),
    lines.map(({ id }) => id),
    lines.map(({ event }) => event),
    lines.map(({ code }) => code),
    lines.map(({ params }) => params),
    lines.map(({ platformCode }) => platformCode),
  ]);
  return new Map(rows.map(({ id, result }) => [id, result]));
}

/** A row of the table `target` as JSON, with the columns that a write reads. */
function rowOf(values: ReturnType<typeof valuesOf>): Record<string, unknown> {
  const { id, identityId, version, checkpoint } = values;
  const state = fieldsOf(STATE_COLUMNS).map((field) => [STATE_COLUMNS[field].name, values[field]]);
  return {
    ...Object.fromEntries(state),
    ...{ id, identity_id: identityId, version },
    checkpoint: checkpoint && `\\x${checkpoint.toString('hex')}`,
  };
}

function valuesOf(sealer: Sealer, task: Task, { target, entries }: Transition) {
  const lines = entries.map(storedEntry);
  const { publishedAt, committedAt } = target;
  const stored = writeFields(STATE_COLUMNS, {
    ...target,
    ...storedTexts(target),
    trouble: storedTrouble(target.trouble),
    publishedAt: storedMoment(publishedAt) ?? (publishedAt === null ? null : committedAt),
    checkpoint: checkpointToStore(sealer, task, target),
  });
  return {
    ...stored,
    id: target.id,
    identityId: target.identityId,
    fence: task.lane.fence,
    version: task.target.version,
    events: lines.map((line) => line.event),
    codes: lines.map((line) => line.code),
    params: lines.map((line) => line.params),
    platformCodes: lines.map((line) => line.platformCode),
  };
}

/** Reads the current row after a write whose response was lost. */
export async function readVersion(
  db: Queryable,
  targetId: string,
): Promise<Pick<Target, 'version' | 'state' | 'sends'> | null> {
  const [row] = await db.query<{ version: number; state: TargetState; sends: number }>(
    'select version, state, commit_number as "sends" from target where id = $1',
    [targetId],
  );
  return row ?? null;
}
