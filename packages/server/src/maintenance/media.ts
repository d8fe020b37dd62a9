/** Removes videos that are no longer needed. */
import type { Database } from '../db/database.ts';
import { NEEDED_BY_RULE, releaseMedia } from '../media/media-store.ts';
import type { MaintenanceDeps } from './types.ts';

/** Videos per transaction. */
const AT_ONCE = 200;

const DAYS = `$1::float8 * interval '1 day'`;

/** A target of the video is open, or settled within the retention period. */
const IN_USE = `exists (select from post p join target t on t.post_id = p.id where p.media_id = m.id
  and (t.due_at is not null or t.settled_at > app_now() - ${DAYS}))`;

/** Old videos that one statement checks. Most of them may still be in use. */
const LOOKED_AT = 1_000;

interface OldVideo {
  id: string;
  /** With microseconds, which a date would lose. */
  at: string;
  isUnused: boolean;
}

/**
 * Removes videos whose last target, over all their posts, settled longer ago than the retention period. Thumbnail and
 * history stay. It goes through the old videos once: those in use are not read again for each that is removed.
 */
export async function sweepOldVideos({ db, retentionDays }: MaintenanceDeps): Promise<number> {
  let count = 0;
  let last: Pick<OldVideo, 'id' | 'at'> | undefined;
  for (;;) {
    const page = await readOldVideos(db, retentionDays, last);
    const unused = page.flatMap(({ id, isUnused }) => (isUnused ? [id] : []));
    for (let from = 0; from < unused.length; from += AT_ONCE)
      count += await removeVideos(db, retentionDays, unused.slice(from, from + AT_ONCE));
    last = page.at(-1);
    if (page.length < LOOKED_AT) return count;
  }
}

/** Reads the next old videos. Indexes: media_sweep, post_media, target_post, firing_target. */
function readOldVideos(
  db: Database,
  retentionDays: number,
  after: Pick<OldVideo, 'id' | 'at'> | undefined,
): Promise<OldVideo[]> {
  return db.query<OldVideo>(
    `select id, created_at::text as at, not ${IN_USE} and not ${NEEDED_BY_RULE}
         and exists (select from post p where p.media_id = m.id) as "isUnused"
     from (select * from media where state = 'stored' and created_at <= app_now() - ${DAYS}
         and ($2::timestamptz is null or created_at > $2 or (created_at = $2 and id > $3::uuid))
       order by created_at, id limit ${LOOKED_AT}) m
     order by created_at, id`,
    [retentionDays, after?.at ?? null, after?.id ?? null],
  );
}

/**
 * The rows are locked first, and the removing statement checks again. So it sees what a repost or retry wrote during the
 * wait. Indexes: primary key, post_media, target_post, firing_target.
 */
function removeVideos(db: Database, retentionDays: number, ids: readonly string[]): Promise<number> {
  return db.transaction(async (tx) => {
    const locked = await tx.query<{ id: string }>(
      'select id from media where id = any($1::uuid[]) for update skip locked',
      [ids],
    );
    const gone = await tx.query<{ count: number }>(
      `with gone as (
         update media m set state = 'gone' where id = any($2::uuid[]) and state = 'stored'
           and not ${IN_USE} and not ${NEEDED_BY_RULE} returning storage_key),
       removed as (insert into file_removal (storage_key) select storage_key from gone on conflict do nothing)
       select count(*)::integer as count from gone`,
      [retentionDays, locked.map(({ id }) => id)],
    );
    return gone[0]?.count ?? 0;
  });
}

/**
 * Deletes videos without a post: those that a removed post left for a rule, and those whose upload crashed more than a
 * day ago. It compares all videos with all posts, once an hour. Indexes: media_sweep, post_media.
 */
export async function sweepOrphans({ db }: MaintenanceDeps): Promise<number> {
  const unused = await inRounds(db, async (tx) => {
    const rows = await tx.query<{ id: string }>(
      `select id from media m where state <> 'storing' and not exists (select from post p where p.media_id = m.id)
         and not ${NEEDED_BY_RULE} limit ${AT_ONCE}`,
    );
    await releaseMedia(
      tx,
      rows.map((row) => row.id),
    );
    return rows.length;
  });
  const crashed = await db.execute(
    `with gone as (
       delete from media where state = 'storing' and created_at < app_now() - interval '1 day'
       returning storage_key, thumbnail)
     insert into file_removal (storage_key)
     select storage_key from gone union all select 'pictures/' || thumbnail from gone on conflict do nothing`,
  );
  return unused + crashed / 2;
}

/** Repeats rounds until one finds fewer than its maximum. */
async function inRounds(
  db: Database,
  round: (tx: Parameters<Parameters<Database['transaction']>[0]>[0]) => Promise<number>,
): Promise<number> {
  let count = 0;
  for (let found = AT_ONCE; found === AT_ONCE; count += found) found = await db.transaction(round);
  return count;
}
