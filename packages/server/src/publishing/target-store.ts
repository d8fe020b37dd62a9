/** Writes targets. Every write checks the lane's fencing token and the version the decision was based on. */
import type { Queryable } from '../db/database.ts';
import type { Sealer } from '../lib/encryption/seal.ts';
import { placement } from '../lineage/placement.ts';
import { checkpointToStore } from './checkpoint.ts';
import { assignments, fieldsOf, parameters, writeFields } from './columns.ts';
import { storedEntry, storedMoment, storedTexts } from './stored-texts.ts';
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
const TAKEN = `exists (select from placement p
  where p.identity_id = t.identity_id and p.remote_id = ${at('remoteId')} and p.target_id is distinct from t.id)`;
const FOLLOWED = 'exists (select from rule r where r.from_account = t.account_id)';

const WRITE_TARGET = `${writing(HOLD)} select id from written`;
const WRITE_TARGET_AND_PROLONG = `${writing(PROLONG)} select id from written`;
const WRITE_UNFOLLOWED = `${writing(HOLD, `and not ${TAKEN} and not ${FOLLOWED}`)}, placed as (${placement('written')})
  select exists (select from written) as written, ${TAKEN} as taken, ${FOLLOWED} as followed
  from target t where id = ${at('id')}`;

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
): Promise<'written' | 'stale' | 'taken' | 'followed'> {
  const [row] = await db.query<{ written: boolean; taken: boolean; followed: boolean }>(
    WRITE_UNFOLLOWED,
    WRITE.values(valuesOf(sealer, task, transition)),
  );
  if (!row) return 'stale';
  if (row.written) return 'written';
  if (row.taken) return 'taken';
  return row.followed ? 'followed' : 'stale';
}

function valuesOf(sealer: Sealer, task: Task, { target, entries }: Transition) {
  const lines = entries.map(storedEntry);
  const { publishedAt, committedAt } = target;
  const stored = writeFields(STATE_COLUMNS, {
    ...target,
    ...storedTexts(target),
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
