/** SQL of drafts, one statement per function. Writers lock the user's row first, then the upload, then the draft. */
import type { Queryable } from '../db/database.ts';
import { type Draft, type DraftContent, type DraftSummary, type DraftVideo, WHOLE_VIDEO } from './types.ts';

/** Code points of a description, and accounts, in a list. */
const EXCERPT = 200;
const SHOWN_ACCOUNTS = 50;

interface DraftRow {
  id: string;
  version: number;
  changedAt: Date;
  /** Whether its video can still be posted. */
  isStored: boolean;
}

const STATE = `d.id, d.version, d.changed_at as "changedAt",
  exists (select from upload u where u.id = d.upload_id and u.used_at is null and u.expires_at > app_now()) as "isStored"`;

const videoOf = (video: DraftVideo | null, { isStored }: DraftRow) =>
  video && { ...video, uploadId: isStored ? video.uploadId : null };

function draftOf({ content, ...row }: DraftRow & { content: DraftContent }): Draft {
  const { id, version, changedAt } = row;
  return { id, version, changedAt, ...WHOLE_VIDEO, ...content, video: videoOf(content.video, row) };
}

/** Changed last first. Indexes: primary key of draft, primary key of upload. */
export async function listDrafts(db: Queryable, userId: string): Promise<DraftSummary[]> {
  const rows = await db.query<DraftRow & Omit<DraftSummary, 'id' | 'version' | 'changedAt'>>(
    `select ${STATE}, left(d.content->>'description', ${EXCERPT}) as description,
       jsonb_path_query_array(d.content, '$.platforms[0 to ${SHOWN_ACCOUNTS - 1}]') as platforms,
       d.content->'scheduled' as scheduled, d.content->'video' as video
     from draft d where d.user_id = $1 order by d.changed_at desc, d.id`,
    [userId],
  );
  return rows.map(({ isStored, ...row }) => ({ ...row, video: videoOf(row.video, { ...row, isStored }) }));
}

/** Index: primary key. */
export async function findDraft(db: Queryable, userId: string, id: string): Promise<Draft | null> {
  const [row] = await db.query<DraftRow & { content: DraftContent }>(
    `select ${STATE}, d.content from draft d where d.user_id = $1 and d.id = $2`,
    [userId, id],
  );
  return row ? draftOf(row) : null;
}

/** Index: primary key. */
export async function countDrafts(db: Queryable, userId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>('select count(*) as count from draft where user_id = $1', [userId]);
  return row?.count ?? 0;
}

const valuesOf = (userId: string, id: string, content: DraftContent) => [
  userId,
  id,
  JSON.stringify(content),
  content.video?.uploadId ?? null,
];

/** Index: primary key. */
export async function insertDraft(tx: Queryable, userId: string, id: string, content: DraftContent): Promise<void> {
  await tx.execute(
    'insert into draft (user_id, id, content, upload_id) values ($1, $2, $3, $4)',
    valuesOf(userId, id, content),
  );
}

/**
 * Changes a draft to its next version. Index: primary key.
 * @returns false if it was posted in the meantime
 */
export async function updateDraft(tx: Queryable, userId: string, id: string, content: DraftContent): Promise<boolean> {
  const changed = await tx.execute(
    `update draft set content = $3, upload_id = $4, version = version + 1, changed_at = app_now()
     where user_id = $1 and id = $2`,
    valuesOf(userId, id, content),
  );
  return changed > 0;
}

/** Index: primary key. @returns whether there was such a draft */
export async function removeDraft(db: Queryable, userId: string, id: string): Promise<boolean> {
  return (await db.execute('delete from draft where user_id = $1 and id = $2', [userId, id])) > 0;
}

/** Whether a draft other than this one has the upload. Index: draft_upload. */
export async function isShared(db: Queryable, uploadId: string, id: string): Promise<boolean> {
  return (await db.query('select from draft where upload_id = $1 and id <> $2 limit 1', [uploadId, id])).length > 0;
}
