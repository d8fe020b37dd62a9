/** Rows of pictures: thumbnails and profile pictures. */
import type { Queryable } from '../db/database.ts';
import { pictureKey } from '../storage/pictures.ts';

/**
 * Whether a picture (thumbnail or profile picture) belongs to the user. Indexes: `media_thumbnail_key`,
 * `account_avatar`.
 */
export async function ownsPicture(db: Queryable, userId: string, filename: string): Promise<boolean> {
  const rows = await db.query(
    `select from media where thumbnail = $1 and user_id = $2
     union all select from account where avatar = $1 and user_id = $2 limit 1`,
    [filename, userId],
  );
  return rows.length > 0;
}

/**
 * Schedules the removal of a picture that is stored next, so that a crash leaves no file without a row. {@link keepPicture}
 * takes it back.
 */
export async function announcePicture(db: Queryable, filename: string): Promise<void> {
  await db.execute("insert into file_removal (storage_key, due_at) values ($1, app_now() + interval '1 day')", [
    pictureKey(filename),
  ]);
}

/**
 * Keeps a new picture and schedules the removal of the one it replaces. Call it in the transaction that references the
 * picture.
 */
export async function keepPicture(tx: Queryable, filename: string, replaced: string | null): Promise<void> {
  await tx.execute('delete from file_removal where storage_key = $1', [pictureKey(filename)]);
  if (replaced && replaced !== filename)
    await tx.execute('insert into file_removal (storage_key) values ($1) on conflict do nothing', [
      pictureKey(replaced),
    ]);
}
