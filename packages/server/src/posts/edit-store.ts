/** SQL that edits posts that have not started. */
import type { JsonObject } from '../connectors/contract.ts';
import type { Queryable } from '../db/database.ts';
import { isUuid } from '../lib/ids.ts';
import { contentKey } from '../lineage/content.ts';
import { keepPicture } from '../media/picture-store.ts';

/** A target after an edit. */
export interface EditedTarget {
  id: string;
  caption: string | null;
  options: JsonObject;
  /** Of the new video, if there is one. */
  renditionId: string | null;
}

/**
 * Sets the caption and the options of targets, and with a new video the rendition. Their version grows, so that a worker
 * with an older read cannot write. The content of a repost is identified by the text of its source, which stays. Index:
 * primary key.
 * @param post.text the description
 */
export async function setTargets(
  tx: Queryable,
  { text, isNewVideo }: { text: string; isNewVideo: boolean },
  targets: readonly EditedTarget[],
): Promise<void> {
  if (targets.length === 0) return;
  await tx.execute(
    `update target t set caption = g.caption, options = g.options, version = version + 1,
       rendition_id = case when $6 then g.rendition_id else t.rendition_id end,
       content_key = case when p.content_text is null then g.content_key else t.content_key end
     from unnest($1::uuid[], $2::text[], $3::jsonb[], $4::uuid[], $5::text[])
       as g (id, caption, options, rendition_id, content_key), post p
     where t.id = g.id and p.id = t.post_id`,
    [
      targets.map(({ id }) => id),
      targets.map(({ caption }) => caption),
      targets.map(({ options }) => JSON.stringify(options)),
      targets.map(({ renditionId }) => renditionId),
      targets.map(({ caption }) => contentKey(caption ?? text)),
      isNewVideo,
    ],
  );
}

/**
 * Deletes the other targets of a post, and the notifications about them. The caller has proven that none has begun.
 * Indexes: target_post, notification_post.
 */
export async function keepTargets(tx: Queryable, postId: string, kept: readonly string[]): Promise<void> {
  await tx.execute(
    `with gone as (delete from target where post_id = $1 and id <> all($2::uuid[]) returning account_id)
     delete from notification where post_id = $1 and account_id in (select account_id from gone)`,
    [postId, kept],
  );
}

/** Numbers the targets of a post in the order of their accounts. Index: target_post. */
export async function orderTargets(tx: Queryable, postId: string, accountIds: readonly string[]): Promise<void> {
  await tx.execute(
    `update target t set position = g.place - 1 from unnest($2::uuid[]) with ordinality as g (account_id, place)
     where t.post_id = $1 and t.account_id = g.account_id and t.position <> g.place - 1`,
    [postId, accountIds],
  );
}

/** Sets the video of a post. Index: primary key. */
export async function setVideo(
  tx: Queryable,
  postId: string,
  { mediaId, previewTimeMs }: { mediaId: string; previewTimeMs: number },
): Promise<void> {
  await tx.execute('update post set media_id = $2, preview_time_ms = $3 where id = $1', [
    postId,
    mediaId,
    previewTimeMs,
  ]);
}

/** Replaces the thumbnail of a video that only this post uses. Index: primary key. */
export async function setThumbnail(tx: Queryable, mediaId: string, filename: string): Promise<void> {
  const [video] = await tx.query<{ thumbnail: string }>('select thumbnail from media where id = $1 for update', [
    mediaId,
  ]);
  await tx.execute('update media set thumbnail = $2 where id = $1', [mediaId, filename]);
  await keepPicture(tx, filename, video?.thumbnail ?? null);
}

/**
 * Whether an upload is the one that a post used last: a repeated edit, whose first response was lost, finds it used.
 * Index: primary key.
 */
export async function isUploadOf(
  db: Queryable,
  { userId, uploadId, postId }: { userId: string; uploadId: string; postId: string },
): Promise<boolean> {
  if (!isUuid(uploadId)) return false;
  const rows = await db.query(
    `select from upload u where id = $1 and user_id = $2 and post_id = $3
       and not exists (select from upload l where l.user_id = $2 and l.post_id = $3 and l.used_at > u.used_at)`,
    [uploadId, userId, postId],
  );
  return rows.length > 0;
}
