/** SQL that changes existing posts. */
import type { JsonObject } from '../connectors/contract.ts';
import type { Queryable } from '../db/database.ts';
import { contentKey } from '../lineage/content.ts';
import { TARGET_TEXT } from '../lineage/target-text.ts';
import type { TargetCode, TargetState } from '../publishing/target.ts';
import { lockLanes } from '../queue/lane-locks.ts';

export interface LockedTarget {
  id: string;
  accountId: string;
  identityId: string;
  state: TargetState;
  begun: boolean;
  unproven: boolean;
  /** Its place among the accounts of the post. */
  position: number;
  /** Its own caption; null: the description. */
  caption: string | null;
  /** The platform's own options. */
  options: JsonObject;
  code: TargetCode | null;
  /** The code of its trouble. */
  troubleCode: TargetCode | null;
}

export interface LockedPost {
  id: string;
  mediaId: string;
  mediaState: 'storing' | 'stored' | 'gone';
  description: string;
  previewTimeMs: number;
  /** Made by a rule. */
  isRepost: boolean;
  scheduled: boolean;
  /** The scheduled time is in the future. */
  ahead: boolean;
  date: Date;
  createdAt: Date;
  targets: LockedTarget[];
}

const TARGETS = `select id, account_id as "accountId", identity_id as "identityId", state, begun_at is not null as begun, unproven,
    position, caption, options, code, trouble->>'code' as "troubleCode" from target where post_id = $1 order by id`;
const POST = `select p.id, p.media_id as "mediaId", m.state as "mediaState", p.description,
    p.preview_time_ms as "previewTimeMs", p.is_repost as "isRepost", p.scheduled, p.date > app_now() as ahead, p.date,
    p.created_at as "createdAt"
  from post p join media m on m.id = p.media_id where p.id = $1 and p.user_id = $2`;

/**
 * Locks a post for a change: first the lanes of its targets, then the targets, and only then reads their state. A
 * worker writes under the same lane, so either the worker or the change comes first.
 * @param otherLanes identities whose lanes are locked as well
 * @returns null if the user has no such post. Indexes: primary keys, target_post.
 */
export async function lockPost(
  tx: Queryable,
  userId: string,
  postId: string,
  otherLanes: readonly string[] = [],
): Promise<LockedPost | null> {
  const lanes = await tx.query<{ id: string }>(
    `select t.identity_id as id from target t join post p on p.id = t.post_id where p.id = $1 and p.user_id = $2`,
    [postId, userId],
  );
  await lockLanes(tx, [...lanes.map((lane) => lane.id), ...otherLanes]);
  const targets = await tx.query<LockedTarget>(`${TARGETS} for update`, [postId]);
  const [post] = await tx.query<Omit<LockedPost, 'targets'>>(`${POST} for update of p`, [postId, userId]);
  return post ? { ...post, targets } : null;
}

/** Reads a post as {@link lockPost} does, without locks: it may change at any time. */
export async function readPost(db: Queryable, userId: string, postId: string): Promise<LockedPost | null> {
  const [post] = await db.query<Omit<LockedPost, 'targets'>>(POST, [postId, userId]);
  return post ? { ...post, targets: await db.query<LockedTarget>(TARGETS, [postId]) } : null;
}

/** Deletes a post with its targets and their timelines. Index: primary key. */
export async function deletePost(tx: Queryable, postId: string): Promise<void> {
  await tx.execute('delete from post where id = $1', [postId]);
}

/** Index: primary key. */
export async function rememberCancelled(tx: Queryable, userId: string, postId: string): Promise<void> {
  await tx.execute('insert into cancelled (post_id, user_id, at) values ($1, $2, app_now()) on conflict do nothing', [
    postId,
    userId,
  ]);
}

/** Returns whether the user canceled this post within the last day. Index: primary key. */
export async function wasCancelled(db: Queryable, userId: string, postId: string): Promise<boolean> {
  const rows = await db.query(
    `select from cancelled where post_id = $1 and user_id = $2 and at > app_now() - interval '1 day'`,
    [postId, userId],
  );
  return rows.length > 0;
}

/** Changes the text of a post, and of its targets without their own. Indexes: primary key, target_post. */
export async function setDescription(tx: Queryable, postId: string, description: string): Promise<void> {
  await tx.execute('update post set description = $2 where id = $1', [postId, description]);
  // The content of a repost is identified by the text of its source.
  await tx.execute(
    `update target t set content_key = $2 from post p
     where t.post_id = $1 and t.caption is null and p.id = t.post_id and p.content_text is null`,
    [postId, contentKey(description)],
  );
}

/** @param at null: now, in whole ms @returns the new date. Index: primary key. */
export async function setDate(tx: Queryable, postId: string, scheduled: boolean, at: number | null): Promise<Date> {
  const [row] = await tx.query<{ date: Date }>(
    `update post set scheduled = $2, date = coalesce($3::timestamptz, date_trunc('milliseconds', app_now()))
     where id = $1 returning date`,
    [postId, scheduled, at === null ? null : new Date(at)],
  );
  if (!row) throw new Error('The locked post is missing.');
  return row.date;
}

/**
 * Sets the due time of targets that have not started, or keeps it (null). Increments their version in both cases, so
 * that a worker with an older read cannot write. Index: primary key.
 */
export async function moveTargets(tx: Queryable, ids: readonly string[], date: Date | null): Promise<void> {
  await tx.execute(
    `update target set due_at = coalesce($2, due_at), counts_from = coalesce($2, counts_from), version = version + 1
     where id = any($1::uuid[])`,
    [ids, date],
  );
}

/** Times of tries that a user has moved are this far apart, in s. */
const TRIES_APART = 30;

/**
 * Moves the next try of targets in trouble to now, unless it was moved within the last {@link TRIES_APART} seconds. The
 * version grows, so that a worker with an older read cannot write. Index: primary key.
 * @returns ids of the targets whose time was moved
 */
export async function moveTries(tx: Queryable, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `update target set due_at = app_now(), version = version + 1,
       trouble = trouble || jsonb_build_object('movedAt', floor(extract(epoch from app_now()) * 1000))
     where id = any($1::uuid[]) and due_at > app_now() and state in ('waiting', 'confirming', 'unknown')
       and coalesce((trouble->>'movedAt')::double precision, 0) < extract(epoch from app_now()) * 1000 - $2 * 1000
     returning id`,
    [ids, TRIES_APART],
  );
  return rows.map(({ id }) => id);
}

/**
 * Asks workers to end targets, and makes them due now. The version of a target whose send is in progress stays, so that its
 * outcome is written. Index: primary key.
 * @returns ids of the targets for which nobody had asked before
 */
export async function requestStop(tx: Queryable, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `update target set stop_requested = true,
       due_at = case state when 'committing' then due_at else least(due_at, app_now()) end,
       version = version + case state when 'committing' then 0 else 1 end
     where id = any($1::uuid[]) and not stop_requested and due_at is not null returning id`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

export interface Reopening {
  /** `unknown`: a send may have worked, so it is verified first. The others start over with a new key. */
  state: 'unknown' | 'scheduled' | 'waiting';
  /** null: now. */
  dueAt: Date | null;
  acceptDuplicate: boolean;
}

/**
 * Reopens failed targets. Targets that start over get a new key, because earlier sends provably had no effect. Index:
 * primary key.
 */
export async function reopenTargets(
  tx: Queryable,
  ids: readonly string[],
  { state, dueAt, acceptDuplicate }: Reopening,
): Promise<void> {
  await tx.execute(
    `update target set state = $3, due_at = coalesce($4, app_now()), counts_from = coalesce($4, app_now()),
       deadline_at = null, attempts = 0, crashes = 0,
       checkpoint = case when $2 then checkpoint end, looks = 0, not_posted_since = null, confirming_since = null,
       complete_since = null, unknown_since = case when $2 then app_now() end, unproven = unproven or $2,
       key_number = key_number + case when not $2 and committed_at is not null then 1 else 0 end,
       accept_duplicate = $5, obeys_quiet_hours = false, code = null, detail = null, platform_code = null, trouble = null,
       stop_requested = false, settled_at = null,
       version = version + 1
     where id = any($1::uuid[])`,
    [ids, state === 'unknown', state, dueAt, acceptDuplicate],
  );
}

/** Locks a video against removal. @returns whether it is still stored. Index: primary key. */
export async function holdMedia(tx: Queryable, mediaId: string): Promise<boolean> {
  const rows = await tx.query(`select from media where id = $1 and state = 'stored' for share`, [mediaId]);
  return rows.length > 0;
}

/** Copies what waiting firings need from a post before it is removed. Indexes: target_post, firing_target. */
export async function copyToFirings(tx: Queryable, postId: string): Promise<void> {
  await tx.execute(
    `update firing f set copy = jsonb_build_object('postId', p.id, 'originId', p.origin_id, 'mediaId', p.media_id,
       'description', ${TARGET_TEXT}, 'previewTimeMs', p.preview_time_ms, 'url', t.url,
       'durationMs', (m.facts->>'durationMs')::float8, 'isPublic', t.is_public)
     from target t join post p on p.id = t.post_id join media m on m.id = p.media_id
     where p.id = $1 and f.target_id = t.id and f.state = 'waiting'`,
    [postId],
  );
}
