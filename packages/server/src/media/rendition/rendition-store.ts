/**
 * Rows of renditions. A row exists before its file. When a row is deleted, a trigger queues its file for removal, so no
 * file is orphaned.
 */
import type { Database, Queryable } from '../../db/database.ts';
import { deleteRows } from '../../db/delete-rows.ts';
import type { Message } from '../../messages/message.ts';
import { storedMessage } from '../../messages/stored.ts';
import { type Claim, type DueRows, dueRows } from '../../queue/claim.ts';
import { lockLanes } from '../../queue/lane-locks.ts';
import { type Limits, NO_LIMITS } from '../../queue/shares.ts';
import { NEEDED_BY_RULE } from '../media-store.ts';
import type { VideoFacts } from '../types.ts';
import type { RenditionSpec } from './plan.ts';

export type RenditionState = 'making' | 'stored' | 'failed';

/** A row when claimed. */
export interface RenditionRow {
  id: string;
  /** The video that is converted: one of both. */
  media_id: string | null;
  upload_id: string | null;
  /** null for a preview. */
  spec: RenditionSpec | null;
  storage_key: string;
  state: RenditionState;
}

/**
 * SQL columns of the outgoing file: the rendition once stored, otherwise the original. Expects `r` (the target's
 * rendition, if any) and `m` (the media).
 */
export const OUTGOING = `case when r.state = 'stored' then r.storage_key else m.storage_key end as "storageKey",
  encode(case when r.state = 'stored' then r.sha256 else m.sha256 end, 'hex') as sha256,
  case when r.state = 'stored' then r.facts else m.facts end as facts`;

/** Index: rendition_due. Claim with {@link claimRenditions}. */
export const dueRenditions: Omit<DueRows<RenditionRow>, 'claim' | 'take'> = dueRows<RenditionRow>('rendition', {
  user: null,
});

/**
 * Claims due renditions fairly: users with the fewest in progress on any node first, then longest due first. A user
 * with a hundred videos delays another user's first one by at most one rendition per core. Previews come after those of
 * posts. Indexes: rendition_due, primary keys.
 * @param options.limits shares of users; absent: unlimited
 */
export async function claimRenditions(
  db: Queryable,
  { limit, leaseMs, limits = NO_LIMITS }: { limit: number; leaseMs: number; limits?: Limits },
): Promise<Claim<RenditionRow>[]> {
  const { held, share } = limits;
  const rows = await db.query<RenditionRow & { fence: number; attempts: number; user_id: string }>(
    `with waiting as materialized (
       select r.id, r.due_at, r.lease_until, r.user_id is not null as is_preview, coalesce(r.user_id, m.user_id) as user_id
       from rendition r left join media m on m.id = r.media_id where r.due_at is not null),
     made as (
       select user_id, count(*) as renditions from waiting where lease_until > app_now() group by user_id),
     turns as (
       select w.id, w.due_at, w.is_preview, w.user_id, coalesce(made.renditions, 0) + row_number() over line as turn,
         coalesce(h.slots, 0) + row_number() over line as place
       from waiting w left join made on made.user_id = w.user_id
         left join unnest($3::uuid[], $4::integer[]) as h (user_id, slots) on h.user_id = w.user_id
       where w.due_at <= app_now() and (w.lease_until is null or w.lease_until <= app_now())
       window line as (partition by w.user_id order by w.is_preview, w.due_at, w.id)),
     due as materialized (
       select r.id, t.user_id from turns t join rendition r on r.id = t.id
       where t.place <= $5 and r.due_at <= app_now() and (r.lease_until is null or r.lease_until <= app_now())
       order by t.is_preview, t.turn, t.due_at, t.id limit $1 for update of r skip locked)
     update rendition r set lease_until = app_now() + $2::float8 * interval '1 ms', fence = r.fence + 1,
       attempts = r.attempts + 1
     from due where r.id = due.id returning r.*, due.user_id`,
    [limit, leaseMs, [...held.keys()], [...held.values()], share],
  );
  return rows.map(({ user_id: userId, ...row }) => {
    const { id: key, fence, attempts } = row;
    return { key, fence, attempts, userId, ownServer: false, row };
  });
}

export interface WantedRendition {
  /** Created by `specKey`. */
  key: string;
  spec: RenditionSpec;
}

/**
 * Queues a rendition unless one with this key exists or is in progress; that one is shared. Index:
 * rendition_media_id_spec_key_key.
 * @returns id of the rendition with this key
 */
export async function orderRendition(db: Queryable, mediaId: string, { key, spec }: WantedRendition): Promise<string> {
  // The no-op update makes the statement return and lock an existing row, so it cannot be deleted concurrently.
  const [row] = await db.query<{ id: string }>(
    `insert into rendition (media_id, spec_key, spec, storage_key) values ($1, $2, $3, 'renditions/' || uuid_v7())
     on conflict (media_id, spec_key) do update set spec_key = excluded.spec_key returning id`,
    [mediaId, key, JSON.stringify(spec)],
  );
  if (!row) throw new Error('The queued rendition is missing.');
  return row.id;
}

/** Requeues failed renditions of targets that are retried. Index: primary key. */
export async function reorderFailed(tx: Queryable, targetIds: readonly string[]): Promise<void> {
  await tx.execute(
    `update rendition set state = 'making', detail = null, progress = 0, attempts = 0, due_at = app_now()
     where state = 'failed' and id in (select rendition_id from target where id = any($1::uuid[]))`,
    [targetIds],
  );
}

export interface SourceVideo {
  userId: string;
  storageKey: string;
  facts: VideoFacts;
}

/** The stored video; undefined: it was deleted. Index: primary key. */
export async function readSourceVideo(db: Queryable, mediaId: string): Promise<SourceVideo | undefined> {
  const [row] = await db.query<SourceVideo>(
    `select user_id as "userId", storage_key as "storageKey", facts from media where id = $1 and state = 'stored'`,
    [mediaId],
  );
  return row;
}

/** An upload of which a preview is made. Its video may not be one that can be posted. */
export interface SourceUpload extends Omit<SourceVideo, 'facts'> {
  facts: null;
  /** In hexadecimal. */
  sha256: string;
}

/** The finished upload; undefined: it was deleted or used. Index: primary key. */
export async function readSourceUpload(db: Queryable, uploadId: string): Promise<SourceUpload | undefined> {
  const [row] = await db.query<SourceUpload>(
    `select user_id as "userId", 'uploads/' || id || '.' || file as "storageKey", null as facts,
       encode(sha256, 'hex') as sha256
     from upload where id = $1 and sha256 is not null and used_at is null and expires_at > app_now()`,
    [uploadId],
  );
  return row;
}

interface HeldRendition {
  key: string;
  fence: number;
}

/** @returns false when another worker has the row or it was deleted. Index: primary key. */
export async function recordProgress(db: Queryable, { key, fence }: HeldRendition, progress: number): Promise<boolean> {
  const sql = 'update rendition set progress = $3 where id = $1 and fence = $2';
  return (await db.execute(sql, [key, fence, progress])) > 0;
}

export interface MadeFile {
  sha256: string;
  facts: VideoFacts;
}

/**
 * Records the stored file.
 * @returns false when another worker has the row or it was deleted: the file is not needed. Index: primary key.
 */
export async function finishRendition(db: Queryable, { key, fence }: HeldRendition, made: MadeFile): Promise<boolean> {
  const done = await db.execute(
    `update rendition set state = 'stored', progress = 1, detail = null, bytes = $3, sha256 = decode($4, 'hex'), facts = $5,
       due_at = null, lease_until = null
     where id = $1 and fence = $2`,
    [key, fence, made.facts.bytes, made.sha256, JSON.stringify(made.facts)],
  );
  return done > 0;
}

/** Marks a rendition as permanently failed. Index: primary key. */
export async function failRendition(db: Queryable, { key, fence }: HeldRendition, detail: string): Promise<void> {
  await db.execute(
    `update rendition set state = 'failed', detail = $3, due_at = null, lease_until = null where id = $1 and fence = $2`,
    [key, fence, detail],
  );
}

/**
 * Makes the targets that wait for a rendition due now, because it is stored or has failed. Targets also poll, with
 * growing delays. Their version is incremented, so that a concurrent worker cannot overwrite this with another delay.
 * Indexes: target_rendition, primary keys.
 */
export async function wakeWaiting(db: Database, renditionId: string): Promise<void> {
  const waiting = `rendition_id = $1 and state = 'waiting' and due_at > app_now()`;
  await db.transaction(async (tx) => {
    const lanes = await tx.query<{ id: string }>(`select identity_id as id from target where ${waiting}`, [
      renditionId,
    ]);
    if (lanes.length === 0) return;
    const ids = lanes.map(({ id }) => id);
    await lockLanes(tx, ids);
    await tx.execute(
      `update target set due_at = app_now(), version = version + 1 where ${waiting} and identity_id = any($2::uuid[])`,
      [renditionId, ids],
    );
    await tx.execute(
      'update lane set next_due_at = least(next_due_at, app_now()) where identity_id = any($1::uuid[])',
      [ids],
    );
  });
}

/** Appends a timeline line to every open target with this rendition. Index: target_rendition. */
export async function appendToWaiting(db: Queryable, renditionId: string, message: Message): Promise<void> {
  const { code, params } = storedMessage(message);
  await db.execute(
    `insert into timeline (target_id, event, code, params)
     select id, 'rendition', $2, $3::jsonb from target where rendition_id = $1 and due_at is not null`,
    [renditionId, code, JSON.stringify(params)],
  );
}

/**
 * Deletes renditions that no open target or rule needs. A new one is kept for 5 minutes: the post that queued it may
 * not be written yet. Previews are deleted after a week, or once their video is gone.
 * @returns number of rows. Indexes: target_rendition, firing_target, rendition_preview, primary keys.
 */
export async function sweepRenditions(db: Queryable): Promise<number> {
  const unneeded = await deleteRows(
    db,
    'rendition',
    `r.user_id is null and r.created_at < app_now() - interval '5 minutes'
       and not exists (select from target t where t.rendition_id = r.id and t.due_at is not null)
       and exists (select from media m where m.id = r.media_id and not ${NEEDED_BY_RULE})`,
  );
  const previews = await deleteRows(
    db,
    'rendition',
    `r.user_id is not null and (r.created_at < app_now() - interval '7 days'
       or exists (select from media m where m.id = r.media_id and m.state <> 'stored')
       or exists (select from upload u where u.id = r.upload_id and u.used_at is not null))`,
  );
  return unneeded + previews;
}
