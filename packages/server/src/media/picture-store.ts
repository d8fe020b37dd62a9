import type { Queryable } from '../db/database.ts';

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
