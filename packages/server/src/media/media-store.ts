/**
 * Rows of stored videos. A row exists before its bytes: everything in the storage has a row. Its state is `storing`
 * until a post refers to it; a row of `file_removal` removes it.
 */
import type { Queryable } from '../db/database.ts';
import { pictureKey } from '../storage/pictures.ts';
import type { VideoFacts } from './types.ts';

export interface NewMedia {
  id: string;
  userId: string;
  /** In hexadecimal. */
  sha256: string;
  facts: VideoFacts;
}

/** Storage keys of a video and its thumbnail. */
export function placesOf(mediaId: string): { video: string; thumbnail: string; picture: string } {
  const thumbnail = `${mediaId}.jpg`;
  return { video: `videos/${mediaId}`, thumbnail, picture: pictureKey(thumbnail) };
}

/** Inserts the row before any byte is stored. */
export async function announceMedia(db: Queryable, { id, userId, sha256, facts }: NewMedia): Promise<void> {
  const { video, thumbnail } = placesOf(id);
  await db.execute(
    `insert into media (id, user_id, storage_key, thumbnail, bytes, sha256, facts, state)
     values ($1, $2, $3, $4, $5, decode($6, 'hex'), $7, 'storing')`,
    [id, userId, video, thumbnail, facts.bytes, sha256, JSON.stringify(facts)],
  );
}

/**
 * Call in the transaction that writes the first post with this video.
 * @returns false if the row was removed meanwhile. Index: primary key.
 */
export async function confirmMedia(tx: Queryable, id: string): Promise<boolean> {
  return (await tx.execute(`update media set state = 'stored' where id = $1 and state = 'storing'`, [id])) > 0;
}

/**
 * Deletes a video without a post and queues its files for removal. A video with a post stays, even if the response of
 * the post's transaction was lost.
 * @returns whether the files may be removed. Index: primary key.
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

/** Removes the queue entry of a file that is already deleted. Index: primary key. */
export async function fileRemoved(db: Queryable, key: string): Promise<void> {
  await db.execute('delete from file_removal where storage_key = $1', [key]);
}

/**
 * SQL condition: a rule must still act on a post with this video, so its repost needs the bytes. A post removed
 * meanwhile left a copy in the firing; a post made elsewhere has a source file. Indexes: post_media, target_post,
 * firing_target, firing_copy, source_file_media, firing_watched.
 */
export const NEEDED_BY_RULE = `(exists (
    select from post p join target t on t.post_id = p.id join firing f on f.target_id = t.id
    where p.media_id = m.id and f.state = 'waiting')
  or exists (select from firing f where (f.copy->>'mediaId')::uuid = m.id and f.copy is not null and f.state = 'waiting')
  or exists (
    select from source_file s join firing f on f.watched_post_id = s.watched_post_id and f.user_id = s.user_id
    where s.media_id = m.id and f.state = 'waiting'))`;

/** Lock order: media before firings, as in firing rules. Index: primary key. */
export async function lockMedia(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.query('select from media where id = any($1::uuid[]) order by id for update', [ids]);
}

/**
 * Deletes videos without references, with their thumbnails. Uses two statements: the second one's snapshot sees what a
 * repost wrote while the first waited for its lock. Indexes: primary key, post_media.
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

/** Stored videos of a user, and their size in bytes. Index: `media_user`. */
export async function countStoredVideos(db: Queryable, userId: string): Promise<{ videos: number; bytes: number }> {
  const [row] = await db.query<{ videos: number; bytes: string }>(
    `select count(*) as videos, coalesce(sum(bytes), 0) as bytes from media where user_id = $1 and state = 'stored'`,
    [userId],
  );
  return { videos: row?.videos ?? 0, bytes: Number(row?.bytes ?? 0) };
}
