/** Reads tasks, and what their steps need to know about other targets and workers. */
import type { JsonObject } from '../connectors/contract.ts';
import type { Queryable } from '../db/database.ts';
import { listParameter } from '../db/list-parameter.ts';
import type { Sealer } from '../lib/encryption/seal.ts';
import { TARGET_TEXT } from '../lineage/target-text.ts';
import type { QuietHours } from '../local-time/quiet-hours.ts';
import { OUTGOING } from '../media/rendition/rendition-store.ts';
import type { VideoFacts } from '../media/types.ts';
import { openCheckpoint } from './checkpoint.ts';
import type { TargetRendition } from './choose-file.ts';
import { readFields, type StoredOf, selectList } from './columns.ts';
import type { Lane } from './lanes.ts';
import { TARGET_COLUMNS, type Target } from './target.ts';
import type { Task } from './task.ts';

/** A target's columns, and what is joined to them. */
type TaskRow = StoredOf<typeof TARGET_COLUMNS> & {
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
  sandbox: boolean;
  status: string;
  late: 'post' | 'skip';
  quietHours: QuietHours | null;
  lastTurnAt: Date | null;
};

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

/** SQL expression for the {@link QuietHours} of the current rule of `p`. A deleted rule has none. Index: primary key. */
const QUIET_HOURS = `(select jsonb_build_object('zone', coalesce(ru.options->>'zone', 'UTC')) || jsonb_strip_nulls(ru.options->'quietHours')
    from rule ru where ru.id = p.rule_id and jsonb_typeof(ru.options->'quietHours') = 'object')`;

const LOAD = `select ${selectList(TARGET_COLUMNS, 't')}, app_now() as now, p.id as "postId", p.user_id as "userId",
    ${TARGET_TEXT} as text, t.options, p.preview_time_ms as "previewTimeMs", ${OUTGOING},
    m.id as "mediaId", m.state as "mediaState", m.thumbnail, m.facts as original,
    case when r.id is not null then ${RENDITION} end as rendition, a.platform, a.status, a.service,
    a.sandbox, u.late,
    case when t.obeys_quiet_hours then ${QUIET_HOURS} end as "quietHours",
    case when t.state = 'scheduled' and t.due_at < app_now() - interval '30 minutes' then ${LAST_TURN} end as "lastTurnAt"
  from target t join post p on p.id = t.post_id join media m on m.id = p.media_id
    join account a on a.id = t.account_id join auth."user" u on u.id = t.user_id
    left join rendition r on r.id = t.rendition_id
  where t.id = any(${listParameter('$1')}) and t.due_at <= app_now()`;

/**
 * Loads the targets in progress of lanes. One that was moved to a later time after its lane was claimed is left out, so
 * that it does not begin early. Indexes: primary keys, target_due.
 */
export async function loadTasks(db: Queryable, sealer: Sealer, lanes: readonly Lane[]): Promise<Task[]> {
  const byTarget = new Map(lanes.flatMap((lane) => (lane.inHand ? [[lane.inHand, lane] as const] : [])));
  const rows = await db.query<TaskRow>(LOAD, [[...byTarget.keys()]]);
  // Taken after the response: a clock ahead of the database's would call a step due too early.
  const readMark = performance.now();
  return rows.flatMap((row) => {
    const lane = byTarget.get(row.id);
    return lane ? [toTask(row, lane, sealer, readMark)] : [];
  });
}

function toTask(row: TaskRow, lane: Lane, sealer: Sealer, readMark: number): Task {
  const { checkpoint, unreadable } = openCheckpoint(sealer, row, row.checkpoint, row.sha256);
  return {
    lane,
    unreadable,
    readAt: row.now.getTime(),
    readMark,
    target: { ...readFields(TARGET_COLUMNS, row), checkpoint },
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
    account: {
      id: row.accountId,
      platform: row.platform,
      status: row.status,
      service: row.service,
      sandbox: row.sandbox,
    },
    quietHours: row.quietHours,
    owner: { late: row.late },
    lastTurnAt: row.lastTurnAt?.getTime() ?? null,
  };
}

/**
 * Texts of other targets of an identity whose outcome is unknown. Includes older targets that were sent, also if the
 * platform refused that send, and are not final: another post with that text could be mistaken for theirs.
 * Index: target_due.
 */
export async function textsInDoubt(db: Queryable, { identityId, id }: Target): Promise<string[]> {
  const rows = await db.query<{ text: string }>(
    `select ${TARGET_TEXT} as text from target t join post p on p.id = t.post_id
     where t.identity_id = $1 and t.id <> $2 and t.due_at is not null
       and (t.state = 'unknown' or ((t.unproven or t.commit_number > 0) and t.state in ('waiting', 'working') and t.id < $2))`,
    [identityId, id],
  );
  return rows.map((row) => row.text);
}

/** Stores a file limit in bytes that the platform enforced. The daily refresh of the account's facts replaces it. */
export async function lowerFileLimit(db: Queryable, accountId: string, maxBytes: number): Promise<void> {
  await db.execute(
    `update account set capabilities = jsonb_set(capabilities, '{video,maxBytes}',
       to_jsonb(least((capabilities->'video'->>'maxBytes')::bigint, $2::bigint))) where id = $1`,
    [accountId, maxBytes],
  );
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
