/**
 * Rows of stored videos. The row is there before the bytes: whatever is in the storage has a row that says so, in
 * state `storing` until a post refers to it, or a row of `file_removal` that takes it away.
 */
import type { Queryable } from '../db/database.ts';
import type { VideoFacts } from '../media/types.ts';
import { pictureKey } from '../storage/pictures.ts';

export interface NewMedia {
  id: string;
  userId: string;
  /** In hexadecimal. */
  sha256: string;
  facts: VideoFacts;
}

/** Where a video and its thumbnail lie. */
export function placesOf(mediaId: string): { video: string; thumbnail: string; picture: string } {
  const thumbnail = `${mediaId}.jpg`;
  return { video: `videos/${mediaId}`, thumbnail, picture: pictureKey(thumbnail) };
}

/** Before any byte of it is in the storage. */
export async function announceMedia(db: Queryable, { id, userId, sha256, facts }: NewMedia): Promise<void> {
  const { video, thumbnail } = placesOf(id);
  await db.execute(
    `insert into media (id, user_id, storage_key, thumbnail, bytes, sha256, facts, state)
     values ($1, $2, $3, $4, $5, decode($6, 'hex'), $7, 'storing')`,
    [id, userId, video, thumbnail, facts.bytes, sha256, JSON.stringify(facts)],
  );
}

/** In the transaction that writes the first post with it. False: it was given up meanwhile. Index: primary key. */
export async function confirmMedia(tx: Queryable, id: string): Promise<boolean> {
  return (await tx.execute(`update media set state = 'stored' where id = $1 and state = 'storing'`, [id])) > 0;
}

/**
 * Forgets a video that no post came to refer to and has its files removed. One that a post does refer to stays, however
 * the post's transaction was answered. @returns whether the files may go. Index: primary key.
 */
export async function forgetUnused(tx: Queryable, id: string): Promise<boolean> {
  await tx.execute(`delete from media where id = $1 and state = 'storing'`, [id]);
  const { video, picture } = placesOf(id);
  const queued = await tx.execute(
    `insert into file_removal (storage_key) select unnest($2::text[])
     where not exists (select from media where id = $1) on conflict do nothing`,
    [id, [video, picture]],
  );
  return queued > 0;
}

/** The file is gone already. Index: primary key. */
export async function fileRemoved(db: Queryable, key: string): Promise<void> {
  await db.execute('delete from file_removal where storage_key = $1', [key]);
}

/**
 * Whether a rule has still to act on a post with this video: a repost of it needs the bytes. A post that was removed
 * meanwhile left a copy of itself in the event. Indexes: event_open, primary keys.
 */
export const NEEDED_BY_RULE = `exists (
  select from event e join rule r on r.id = (e.payload->>'ruleId')::uuid
  where e.kind = 'rule' and e.done_at is null and m.id = coalesce((e.payload->'source'->>'mediaId')::uuid,
    (select p.media_id from target t join post p on p.id = t.post_id where t.id = (e.payload->>'targetId')::uuid)))`;

/** Before events in the order of locks, as a rule that fires has them. Index: primary key. */
export async function lockMedia(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.query('select from media where id = any($1::uuid[]) order by id for update', [ids]);
}

/**
 * Forgets videos that nothing refers to any more, with their thumbnails. Two statements on purpose: the second one's
 * snapshot sees what a repost wrote while the first waited for its lock. Indexes: primary key, post_media.
 */
export async function releaseMedia(tx: Queryable, ids: readonly string[]): Promise<void> {
  await lockMedia(tx, ids);
  await tx.execute(
    `with gone as (
       delete from media m where m.id = any($1::uuid[]) and m.state <> 'storing'
         and not exists (select from post p where p.media_id = m.id) and not ${NEEDED_BY_RULE}
       returning m.storage_key, m.thumbnail, m.state)
     insert into file_removal (storage_key)
     select storage_key from gone where state = 'stored' union all select 'pictures/' || thumbnail from gone
     on conflict do nothing`,
    [ids],
  );
}
