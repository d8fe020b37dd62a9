/** SQL that ends a check: the position of its watch, and which posts are missing. */
import type { JsonObject } from '../connectors/contract.ts';
import type { Queryable } from '../db/database.ts';
import { listParameter } from '../db/list-parameter.ts';
import { reviseReposts, skippedAsPrivate } from '../lineage/firings.ts';
import type { MessageRef } from '../messages/message.ts';
import { storedMessage } from '../messages/stored.ts';
import type { BoundedPost } from './bounded-list.ts';
import { changedPosts } from './changed-posts.ts';
import { REMEMBERED_POSTS } from './check-interval.ts';
import { storedPost } from './stored-post.ts';
import type { Held, Resume, WatchRow } from './watch-store.ts';

export interface Checked {
  /** When the check began, in ms since the epoch. */
  startedAt: number;
  posts: readonly BoundedPost[];
  mark: JsonObject | undefined;
  afterMs: number;
  /** Why posts may be missing; null if none can be. */
  problem: MessageRef | null;
  /** Whether the check must be repeated from the same moment. */
  again: boolean;
  /** Where the check continues if it stopped before its last page. Its position is stored then. */
  resume: Resume | null;
}

const WRITE = `update watch set version = version + 1, mark = coalesce($4, mark), resume = $10, lease_until = null,
    checked_at = case when $5 or $10::jsonb is not null then checked_at else $6 end,
    attempts = case when $5 then attempts else 0 end,
    due_at = app_now() + $7 * interval '1 millisecond', problem = $8,
    failing_since = case when $5 then coalesce(failing_since, app_now()) end,
    recent_posts = (select coalesce(array_agg(at order by at desc), '{}') from (
      select distinct at from unnest(recent_posts || $9::timestamptz[]) as at order by at desc
      limit ${REMEMBERED_POSTS}) newest)
  where id = $1 and fence = $2 and version = $3 and lease_until is not null`;

/** Parameters of {@link WRITE}. */
function valuesOf(held: Held & { row: WatchRow }, checked: Checked): unknown[] {
  const times = checked.posts.flatMap(({ publishedAt }) => publishedAt ?? []).sort((a, b) => b - a);
  return [
    held.key,
    held.fence,
    held.row.version,
    checked.again || checked.resume || checked.mark === undefined ? null : JSON.stringify(checked.mark),
    checked.again,
    new Date(checked.startedAt),
    checked.afterMs,
    checked.problem && JSON.stringify(storedMessage(checked.problem)),
    times.slice(0, REMEMBERED_POSTS).map((ms) => new Date(ms)),
    checked.resume && JSON.stringify(checked.resume),
  ];
}

/**
 * Stores a check's position. Call it in the transaction that stores its posts.
 * @returns false when another worker has the watch or the position has changed: nothing may be stored
 */
export async function writeChecked(tx: Queryable, held: Held & { row: WatchRow }, checked: Checked): Promise<boolean> {
  return (await tx.execute(WRITE, valuesOf(held, checked))) > 0;
}

interface MissedParameters {
  watch: string;
  since: string;
  listed: string;
  startedAt: string;
}

/** SQL condition: a complete check did not list a post `w` of an identity `d`. Index: watched_post_listing. */
const missed = ({
  watch,
  since,
  listed,
  startedAt,
}: MissedParameters) => `d.watch_id = ${watch} and w.identity_id = d.id
  and w.published_at > ${since} and w.remote_id <> all(${listParameter(listed, 'text')})
  and (w.gone_at is null or w.missing_since is null) and w.found_at < ${startedAt}`;

const WRITE_UNCHANGED = `with ${changedPosts({ watch: '$1', posts: '$11', key: '$12', since: '$13' })}
  ${WRITE} and not exists (select from changed)
    and not exists (select from identity d, watched_post w, firing f where ${skippedAsPrivate('$1', '$14')})
    and ($15::timestamptz is null or not exists (select from identity d, watched_post w
      where ${missed({ watch: '$1', since: '$15', listed: '$16', startedAt: '$6' })}))`;

/**
 * Stores a check's position if there is nothing else to store, as after most checks: one statement instead of a transaction of
 * six. What another transaction changes at the same time is left to the next check.
 * @param wholeSince since when the check listed everything, in ms since the epoch; null if posts may be missing
 * @returns false when there is something to store, or nothing may be stored, as in {@link writeChecked}
 */
export async function writeUnchanged(
  db: Queryable,
  held: Held & { row: WatchRow },
  checked: Checked,
  wholeSince: number | null,
): Promise<boolean> {
  const rows = checked.posts.map((post) => storedPost(post, checked.startedAt));
  const count = await db.execute(WRITE_UNCHANGED, [
    ...valuesOf(held, checked),
    JSON.stringify(rows),
    held.row.key,
    held.row.began_at,
    rows.flatMap((row) => (row.is_public ? [row.remote_id] : [])),
    wholeSince === null ? null : new Date(wholeSince),
    rows.map((row) => row.remote_id),
  ]);
  return count > 0;
}

/**
 * Notes which posts a complete check no longer listed. A post is gone when the next complete check misses it too.
 * @param listed remote ids @param since the check listed everything from then on, in ms since the epoch
 * @returns number of posts that are gone now. Index: watched_post_listing.
 */
export async function noteMissing(
  tx: Queryable,
  watchId: string,
  { listed, since, startedAt }: { listed: readonly string[]; since: number; startedAt: number },
): Promise<number> {
  const rows = await tx.query<{ id: string; gone: boolean }>(
    `update watched_post w set missing_since = coalesce(missing_since, $4),
       gone_at = coalesce(gone_at, case when missing_since is not null then $4::timestamptz end)
     from identity d where ${missed({ watch: '$1', since: '$2', listed: '$3', startedAt: '$4' })}
     returning w.id, w.gone_at is not distinct from $4 as gone`,
    [watchId, new Date(since), listed, new Date(startedAt)],
  );
  const gone = rows.flatMap((row) => (row.gone ? [row.id] : []));
  await reviseReposts(tx, gone);
  return gone.length;
}
