/** Reads and writes targets. Every write checks the lane's fencing token and the version the decision was based on. */
import type { JsonObject } from '../connectors/contract.ts';
import type { Queryable } from '../db/database.ts';
import type { VideoFacts } from '../media/types.ts';
import { OUTGOING } from '../renditions/store.ts';
import type { Sealer } from '../seal.ts';
import type { TargetRendition } from './file.ts';
import type { Lane } from './lanes.ts';
import { placement } from './placement.ts';
import { storedEntry, storedMoment, storedTexts } from './stored-texts.ts';
import type { Target, TargetCode, TargetState, TimelineEntry, Transition } from './target.ts';

/** A target with everything a step needs. */
export interface Task {
  target: Target;
  lane: Lane;
  /** The stored checkpoint if it cannot be decrypted; then `target.checkpoint` is null. */
  unreadable: Buffer | null;
  /** Database time of the read (ms since the epoch), and the monotonic clock at that moment. */
  readAt: number;
  readMark: number;
  /** `text` is the caption for this target; `options` are the options for its platform only. */
  post: { id: string; userId: string; text: string; previewTimeMs: number; options: JsonObject };
  /** The outgoing file, and the properties of the `original` that it may be made from. */
  media: {
    id: string;
    storageKey: string;
    sha256: string;
    state: string;
    facts: VideoFacts;
    original: VideoFacts;
    thumbnail: string;
  };
  rendition: TargetRendition | null;
  account: { id: string; platform: string; status: string; service: string };
  owner: { late: 'post' | 'skip' };
  /**
   * The latest turn of another target of this identity: its start within the last hour, or the planned start of a late
   * one.
   */
  lastTurnAt: number | null;
}

interface TaskRow {
  id: string;
  version: number;
  state: TargetState;
  identityId: string;
  accountId: string;
  dueAt: Date | null;
  countsFrom: Date;
  deadlineAt: Date | null;
  begunAt: Date | null;
  checkpoint: Buffer | null;
  renditionId: string | null;
  attempts: number;
  crashes: number;
  commitNumber: number;
  sendKey: number;
  committedAt: Date | null;
  commitUntil: Date | null;
  unproven: boolean;
  looks: number;
  unknownSince: Date | null;
  notPostedSince: Date | null;
  confirmingSince: Date | null;
  completeSince: Date | null;
  acceptDuplicate: boolean;
  code: TargetCode | null;
  detail: string | null;
  platformCode: string | null;
  remoteId: string | null;
  url: string | null;
  publishedAt: Date | null;
  now: Date;
  postId: string;
  userId: string;
  text: string;
  options: JsonObject;
  previewTimeMs: number;
  storageKey: string;
  sha256: string;
  mediaState: string;
  thumbnail: string;
  mediaId: string;
  original: VideoFacts;
  facts: VideoFacts;
  rendition: TargetRendition | null;
  platform: string;
  service: string;
  status: string;
  late: 'post' | 'skip';
  lastTurnAt: Date | null;
}

/** SQL expression for the {@link TargetRendition} of `r`. */
export const RENDITION = `json_build_object('id', r.id, 'key', r.spec_key, 'state', r.state, 'progress', r.progress,
  'detail', r.detail, 'orderedAt', extract(epoch from r.created_at) * 1000)`;

/**
 * Late targets take turns, so each needs the latest turn given. A target that waits before its start (for its file or a
 * token) has its turn now. Among scheduled targets, only late ones with a `late` timeline line have a turn. Indexes:
 * target_due, timeline_target.
 */
const LAST_TURN = `(select max(turn.at) from (
    select o.begun_at as at from target o
      where o.identity_id = t.identity_id and o.id <> t.id and o.begun_at > app_now() - interval '1 hour'
    union all
    select case when o.state = 'scheduled' then o.due_at else app_now() end from target o
      where o.identity_id = t.identity_id and o.id <> t.id and o.due_at is not null and o.begun_at is null
        and (o.state = 'waiting' or (o.state = 'scheduled' and o.due_at > app_now()
          and exists (select from timeline l where l.target_id = o.id and l.event = 'late')))) turn)`;

/** Loads the targets in progress of lanes. Indexes: primary keys, target_due. */
export async function loadTasks(db: Queryable, sealer: Sealer, lanes: readonly Lane[]): Promise<Task[]> {
  const byTarget = new Map(lanes.flatMap((lane) => (lane.inHand ? [[lane.inHand, lane] as const] : [])));
  const rows = await db.query<TaskRow>(
    `select t.id, t.version, t.state, t.identity_id as "identityId", t.account_id as "accountId", t.due_at as "dueAt",
       t.counts_from as "countsFrom", t.deadline_at as "deadlineAt", t.begun_at as "begunAt", t.checkpoint,
       t.rendition_id as "renditionId", t.attempts, t.crashes, t.commit_number as "commitNumber", t.key_number as "sendKey", t.committed_at as "committedAt",
       t.commit_until as "commitUntil", t.unproven, t.looks, t.unknown_since as "unknownSince",
       t.not_posted_since as "notPostedSince", t.confirming_since as "confirmingSince",
       t.complete_since as "completeSince", t.accept_duplicate as "acceptDuplicate", t.code, t.detail,
       t.platform_code as "platformCode", t.remote_id as "remoteId", t.url, t.published_at as "publishedAt",
       app_now() as now, p.id as "postId", p.user_id as "userId",
       coalesce(t.caption, p.description) as text, t.options,
       p.preview_time_ms as "previewTimeMs", ${OUTGOING}, m.id as "mediaId", m.state as "mediaState", m.thumbnail,
       m.facts as original, case when r.id is not null then ${RENDITION} end as rendition, a.platform, a.status, a.service,
       u.late,
       case when t.state = 'scheduled' and t.due_at < app_now() - interval '30 minutes' then ${LAST_TURN} end as "lastTurnAt"
     from target t join post p on p.id = t.post_id join media m on m.id = p.media_id
       join account a on a.id = t.account_id join auth."user" u on u.id = t.user_id
       left join rendition r on r.id = t.rendition_id
     where t.id = any($1::uuid[])`,
    [[...byTarget.keys()]],
  );
  // Taken after the response: a clock ahead of the database's would call a step due too early.
  const readMark = performance.now();
  return rows.flatMap((row) => {
    const lane = byTarget.get(row.id);
    return lane ? [toTask(row, lane, sealer, readMark)] : [];
  });
}

function toTask(row: TaskRow, lane: Lane, sealer: Sealer, readMark: number): Task {
  const ms = (date: Date | null) => date?.getTime() ?? null;
  const { checkpoint, unreadable } = openCheckpoint(row, sealer);
  return {
    lane,
    unreadable,
    readAt: row.now.getTime(),
    readMark,
    target: {
      ...row,
      dueAt: ms(row.dueAt),
      countsFrom: row.countsFrom.getTime(),
      deadlineAt: ms(row.deadlineAt),
      begunAt: ms(row.begunAt),
      checkpoint,
      committedAt: ms(row.committedAt),
      commitUntil: ms(row.commitUntil),
      unknownSince: ms(row.unknownSince),
      notPostedSince: ms(row.notPostedSince),
      confirmingSince: ms(row.confirmingSince),
      completeSince: ms(row.completeSince),
      publishedAt: ms(row.publishedAt),
    },
    post: {
      id: row.postId,
      userId: row.userId,
      text: row.text,
      previewTimeMs: row.previewTimeMs,
      options: row.options,
    },
    media: {
      id: row.mediaId,
      storageKey: row.storageKey,
      sha256: row.sha256,
      state: row.mediaState,
      facts: row.facts,
      original: row.original,
      thumbnail: row.thumbnail,
    },
    rendition: row.rendition,
    account: { id: row.accountId, platform: row.platform, status: row.status, service: row.service },
    owner: { late: row.late },
    lastTurnAt: ms(row.lastTurnAt),
  };
}

interface SealedCheckpoint {
  /** Hash of the file it belongs to. Other bytes need a new session. */
  sha256: string;
  data: JsonObject;
}

/**
 * Opens a checkpoint. A checkpoint for other bytes is discarded, except after a send: then it only identifies what to
 * verify, and the file may be gone. A checkpoint that cannot be decrypted (its key is missing on this node) must not
 * fail the other rows of the batch.
 */
function openCheckpoint(row: TaskRow, sealer: Sealer): { checkpoint: JsonObject | null; unreadable: Buffer | null } {
  if (!row.checkpoint) return { checkpoint: null, unreadable: null };
  let found: SealedCheckpoint;
  try {
    found = sealer.open<SealedCheckpoint>(row.checkpoint, `checkpoint ${row.id}`);
  } catch {
    return { checkpoint: null, unreadable: row.checkpoint };
  }
  return { checkpoint: isAfterSend(row) || found.sha256 === row.sha256 ? found.data : null, unreadable: null };
}

/** Returns whether the latest send may have reached the platform, so the checkpoint identifies what to verify. */
export function isAfterSend({ state }: Pick<Target, 'state'>): boolean {
  return state === 'unknown' || state === 'confirming' || state === 'committing';
}

const COLUMNS = `state = $4, due_at = $5, counts_from = $6, deadline_at = $7, begun_at = $8, checkpoint = $9,
  attempts = $10, crashes = $11, commit_number = $12, key_number = $13, committed_at = $14, commit_until = $15,
  unproven = $16, looks = $17, unknown_since = $18, not_posted_since = $19, confirming_since = $20,
  complete_since = $21, accept_duplicate = $22, code = $23, detail = $24, platform_code = $25, remote_id = $26,
  url = $27, published_at = $28, rendition_id = $32, settled_at = case when $5::timestamptz is null then app_now() end, version = version + 1`;

/**
 * Common start of all writes by a lane's holder: the updated row and its timeline lines.
 * @param lane proves that the lane is still held
 * @param also additional condition
 */
const writing = (lane: string, also = '') => `
  with held as (${lane}),
  written as (update target t set ${COLUMNS}
    where t.id = $1 and t.version = $3 and exists (select from held) ${also} returning t.*),
  told as (insert into timeline (target_id, event, text, platform_code)
    select written.id, e.event, e.text, e.code from written, unnest($29::text[], $30::text[], $31::text[]) with ordinality
      as e (event, text, code, n) order by e.n)`;

const HOLD = 'select 1 from lane where identity_id = $2 and fence = $33 for update';
const PROLONG = `update lane set lease_until = greatest(lease_until, app_now() + $34 * interval '1 millisecond')
  where identity_id = $2 and fence = $33 returning 1`;

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
  const rows = await db.query(
    `${writing(leaseMs === null ? HOLD : PROLONG)} select id from written`,
    leaseMs === null ? values : [...values, leaseMs],
  );
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
    `${writing(HOLD, `and not ${TAKEN} and not ${FOLLOWED}`)}, placed as (${placement('written')})
     select exists (select from written) as written, ${TAKEN} as taken, ${FOLLOWED} as followed from target t where id = $1`,
    valuesOf(sealer, task, transition),
  );
  if (!row) return 'stale';
  if (row.written) return 'written';
  if (row.taken) return 'taken';
  return row.followed ? 'followed' : 'stale';
}

const TAKEN =
  'exists (select from placement p where p.identity_id = t.identity_id and p.remote_id = $26 and p.target_id <> t.id)';
const FOLLOWED = 'exists (select from rule r where r.from_account = t.account_id)';

function valuesOf(sealer: Sealer, task: Task, { target, entries }: Transition): unknown[] {
  const texts = storedTexts(target);
  const lines = entries.map(storedEntry);
  const date = (ms: number | null) => (ms === null ? null : new Date(ms));
  const checkpoint = target.checkpoint && {
    sha256: task.media.sha256,
    data: target.checkpoint,
  };
  return [
    target.id,
    target.identityId,
    task.target.version,
    target.state,
    date(target.dueAt),
    date(target.countsFrom),
    date(target.deadlineAt),
    date(target.begunAt),
    checkpoint
      ? sealer.seal(checkpoint satisfies SealedCheckpoint, `checkpoint ${target.id}`)
      : keptUnreadable(task, target),
    target.attempts,
    target.crashes,
    target.commitNumber,
    target.sendKey,
    date(target.committedAt),
    date(target.commitUntil),
    target.unproven,
    target.looks,
    date(target.unknownSince),
    date(target.notPostedSince),
    date(target.confirmingSince),
    date(target.completeSince),
    target.acceptDuplicate,
    target.code,
    texts.detail,
    texts.platformCode,
    texts.remoteId,
    texts.url,
    date(storedMoment(target.publishedAt) ?? (target.publishedAt === null ? null : target.committedAt)),
    lines.map((line) => line.event),
    lines.map((line) => line.text),
    lines.map((line) => line.platformCode),
    target.renditionId,
    task.lane.fence,
  ];
}

/**
 * Another node, or this one with its key restored, may need an unreadable checkpoint to find the post. It is kept until
 * the target is posted or proven not posted.
 */
function keptUnreadable(task: Task, target: Target): Buffer | null {
  return isAfterSend(target) || target.code === 'outcome_unknown' ? task.unreadable : null;
}

/**
 * Texts of other targets of an identity whose outcome is unknown. Includes older targets with an unproven send that are
 * not final: another post with that text could be mistaken for theirs. Index: target_due.
 */
export async function textsInDoubt(db: Queryable, { identityId, id }: Target): Promise<string[]> {
  const rows = await db.query<{ text: string }>(
    `select coalesce(t.caption, p.description) as text from target t join post p on p.id = t.post_id
     where t.identity_id = $1 and t.id <> $2 and t.due_at is not null
       and (t.state = 'unknown' or (t.unproven and t.state in ('waiting', 'working') and t.id < $2))`,
    [identityId, id],
  );
  return rows.map((row) => row.text);
}

/** Reads the current row after a write whose response was lost. */
export async function readVersion(
  db: Queryable,
  targetId: string,
): Promise<{ version: number; state: TargetState; commitNumber: number } | null> {
  const [row] = await db.query<{ version: number; state: TargetState; commitNumber: number }>(
    'select version, state, commit_number as "commitNumber" from target where id = $1',
    [targetId],
  );
  return row ?? null;
}

/** Minutes since `since` without any live worker. Index: primary key of alive_minute. */
export async function minutesWithoutWorker(db: Queryable, since: number): Promise<number> {
  const [row] = await db.query<{ missing: number }>(
    `select greatest(0, extract(epoch from date_trunc('minute', app_now()) - date_trunc('minute', $1::timestamptz)) / 60
       - (select count(*) from alive_minute where minute >= date_trunc('minute', $1::timestamptz)
          and minute < date_trunc('minute', app_now())))::float8 as missing`,
    [new Date(since)],
  );
  return row?.missing ?? 0;
}

/** Appends timeline lines to a target from outside a worker. */
export async function tell(db: Queryable, targetId: string, entries: readonly TimelineEntry[]): Promise<void> {
  const lines = entries.map(storedEntry);
  await db.execute(
    `insert into timeline (target_id, event, text, platform_code)
     select $1, e.* from unnest($2::text[], $3::text[], $4::text[]) as e (event, text, code)`,
    [targetId, lines.map((line) => line.event), lines.map((line) => line.text), lines.map((line) => line.platformCode)],
  );
}
