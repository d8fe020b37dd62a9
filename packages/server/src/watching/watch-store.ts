/** SQL of watches: which accounts are read, from where, and when next. */
import type { Connector, JsonObject } from '../connectors/contract.ts';
import type { Queryable } from '../db/database.ts';
import { reopenPublic } from '../lineage/firings.ts';
import type { MessageRef } from '../messages/message.ts';
import { storedMessage } from '../messages/stored.ts';
import { type DueRows, dueRows } from '../queue/claim.ts';
import type { BoundedPost } from './bounded-list.ts';
import { changedPosts, givenPosts } from './changed-posts.ts';
import { followChanges, WRITTEN, type Written } from './post-changes.ts';
import { storedPost } from './stored-post.ts';

/** Where a check continues that stopped before its last page. */
export interface Resume {
  cursor: string;
  since: number;
  /** The position to store once the last page is read; null: unchanged. */
  mark: JsonObject | null;
  /** Number of pages that were read. */
  pages: number;
  /** When the check began, in ms since the epoch. */
  startedAt: number;
}

export interface WatchRow {
  id: string;
  platform: string;
  service: string;
  key: string;
  /** Whose share of the work it uses: one of those who read it. */
  user_id: string | null;
  mark: JsonObject | null;
  /** Where the check continues that stopped before its last page; null: none did. */
  resume: Resume | null;
  began_at: Date;
  checked_at: Date | null;
  recent_posts: Date[];
  version: number;
}

/** Index: watch_due. */
export const dueWatches: DueRows<WatchRow> = dueRows<WatchRow>('watch', { user: 'user_id', service: 'service' });

/** How long an account is still watched after its last rule was paused: posts may become visible late. */
const AFTER_PAUSE = `interval '48 hours'`;

/** SQL: rules `r` with intervals `i` that still need the posts of account `a`. */
export const WANTED = `from rule r join rule_interval i on i.rule_id = r.id
  where r.from_account = a.id and (i.active_to is null or i.active_to > app_now() - ${AFTER_PAUSE})`;

interface Source {
  identityId: string;
  userId: string;
  platform: string;
  service: string;
  remoteId: string;
  extra: JsonObject;
  since: Date;
}

const SOURCES = `select a.identity_id as "identityId", a.user_id as "userId", a.platform, d.service, d.remote_id as "remoteId", a.extra,
    (select min(i.active_from) ${WANTED}) as since
  from account a join identity d on d.id = a.identity_id left join watch w on w.id = d.watch_id
  where a.status = 'CONNECTED' and a.capabilities->>'watch' <> 'own'
    and (w.id is null or (w.due_at is null and w.lease_until is null)) and exists (select ${WANTED})`;

/**
 * Starts watching the sources of active rules that are not watched yet, or no longer. Call it in the transaction that
 * activates a rule, and regularly, because accounts are reconnected and their capabilities change.
 * @param accountId only this account; absent: all @returns number of accounts
 */
export async function startWatches(
  db: Queryable,
  connectors: Readonly<Record<string, Pick<Connector, 'watch'>>>,
  accountId?: string,
): Promise<number> {
  const sources = await db.query<Source>(
    accountId === undefined ? SOURCES : `${SOURCES} and a.id = $1`,
    accountId === undefined ? [] : [accountId],
  );
  const watched = sources.filter(({ platform }) => connectors[platform]?.watch);
  const started = watched
    .map(({ extra, ...source }) => ({
      ...source,
      key: connectors[source.platform]?.watch?.reader?.({ remoteId: source.remoteId, extra }) ?? source.remoteId,
    }))
    .filter(({ key }) => key !== '');
  for (let at = 0; at < started.length; at += STARTS_AT_ONCE) {
    const some = started.slice(at, at + STARTS_AT_ONCE);
    const column = (name: keyof (typeof some)[number]) => some.map((each) => each[name]);
    await db.execute(START, [
      column('platform'),
      column('service'),
      column('key'),
      column('since'),
      column('identityId'),
      column('userId'),
    ]);
  }
  return watched.length;
}

const STARTS_AT_ONCE = 500;

/**
 * SQL statement that starts watches. Several accounts can have one reader. A watch that ended begins at the rule's
 * moment: what was posted in between concerns no rule. Ordered, so that two statements wait for each other once.
 */
const START = `
  with given as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::uuid[], $6::uuid[])
      as g (platform, service, key, since, identity_id, user_id)
  ), started as (
    insert into watch (platform, service, key, began_at, user_id)
      select platform, service, key, min(since), min(user_id::text)::uuid from given
      group by platform, service, key order by platform, service, key
    on conflict (platform, service, key) do update set user_id = excluded.user_id,
      began_at = case when watch.due_at is null then excluded.began_at else least(watch.began_at, excluded.began_at) end,
      checked_at = case when watch.due_at is null then null else watch.checked_at end,
      resume = case when watch.due_at is null then null else watch.resume end,
      due_at = least(watch.due_at, app_now()), attempts = 0
    returning id, platform, service, key
  )
  update identity d set watch_id = chosen.id
  from (
    select distinct on (given.identity_id) given.identity_id, started.id
    from started join given using (platform, service, key) order by given.identity_id, key desc
  ) chosen
  where d.id = chosen.identity_id`;

/** A watch that a worker has claimed. */
export interface Held {
  key: string;
  fence: number;
}

/** Ends a watch until a rule needs it again. Index: primary key. */
export async function endWatch(db: Queryable, { key, fence }: Held, problem: MessageRef | null): Promise<void> {
  await db.execute(
    `update watch set due_at = null, lease_until = null, attempts = 0, problem = $3,
       failing_since = case when $3::jsonb is null then null else coalesce(failing_since, app_now()) end
     where id = $1 and fence = $2 and lease_until is not null`,
    [key, fence, problem && JSON.stringify(storedMessage(problem))],
  );
}

interface Postponed {
  afterMs: number;
  problem: MessageRef;
  /** False for a wait that is planned, such as an empty budget. */
  failed: boolean;
  /** Whether the next check begins with the newest posts, although this one stopped before its last page. */
  startOver?: boolean;
}

/** Stores why a check did not happen or failed. Index: primary key. */
export async function postponeWatch(
  db: Queryable,
  { key, fence }: Held,
  { afterMs, problem, failed, startOver = false }: Postponed,
): Promise<void> {
  await db.execute(
    `update watch set due_at = app_now() + $3 * interval '1 millisecond', lease_until = null, problem = $4,
       attempts = case when $5 then attempts else 0 end,
       failing_since = case when $5 then coalesce(failing_since, app_now()) end,
       resume = case when $6 then null else resume end
     where id = $1 and fence = $2 and lease_until is not null`,
    [key, fence, afterMs, JSON.stringify(storedMessage(problem)), failed, startOver],
  );
}

const POST_VALUES = (
  publishedAt: string,
) => `g.remote_id, ${publishedAt}, g.text, g.url, g.duration_ms, g.width, g.height, g.is_public, g.is_public,
  nullif(g.file, 'null'), nullif(g.problem, 'null')`;

/** A post that was found private is reposted only if it becomes public this soon after its publication. */
const IN_TIME = `interval '48 hours'`;

/**
 * SQL: what a later read of a known post changes. A scheduled post may have been found before its publication. One that
 * lists missed is there again. One that they never missed stays gone: its platform said so when its file was fetched.
 */
const UPDATED = `text = excluded.text, url = excluded.url, file = excluded.file, is_public = excluded.is_public,
  public_in_time = watched_post.public_in_time or (excluded.is_public
    and app_now() <= greatest(watched_post.published_at, excluded.published_at) + ${IN_TIME}),
  problem = excluded.problem, missing_since = null,
  gone_at = case when watched_post.missing_since is null then watched_post.gone_at end,
  edited_at = case when watched_post.text is distinct from excluded.text then app_now()
    else watched_post.edited_at end`;

/** New posts of one account that are stored in 24 hours, so that no account fills the database. */
export const MAX_NEW_POSTS = 500;

/** How many of them may be older posts, which users list. The others are left for new ones. */
export const MAX_CATALOG_POSTS = 400;

/** SQL: known posts of `$2` that were changed, and the newest of the others for which there is room. */
const CHOSEN = `
  ${changedPosts({ watch: '$1', posts: '$2', key: '$3', since: '$4' })},
  room as (
    select d.id, ${MAX_NEW_POSTS} - (select count(*) from watched_post w
      where w.identity_id = d.id and w.found_at > app_now() - interval '1 day') as rows
    from (select distinct identity_id as id from changed where not is_known) d),
  ranked as (
    select *, row_number() over (partition by identity_id, is_known order by published_at desc, remote_id) as place
    from changed),
  chosen as (
    select g.* from ranked g left join room r on r.id = g.identity_id where g.is_known or g.place <= r.rows)`;

/**
 * Stores found posts that are not known yet, and updates known ones that were changed. Posts from before the watch
 * began are ignored, and so are those that the ledger keeps from long ago: without a time of the platform, such a post
 * would count as published now. Rules decide again about posts that are public now.
 * @returns numbers of new posts that were stored, and of those beyond {@link MAX_NEW_POSTS}. Indexes: identity_watch,
 * unique key of watched_post, placement_remote, watched_post_found.
 */
export async function storePosts(
  tx: Queryable,
  watch: WatchRow,
  posts: readonly BoundedPost[],
  startedAt: number,
): Promise<{ added: number; dropped: number }> {
  const rows = posts.map((post) => storedPost(post, startedAt));
  const results = await tx.query<{ dropped: number } & Partial<Written>>(
    `with ${CHOSEN},
     written as (
       insert into watched_post (identity_id, user_id, remote_id, published_at, text, url, duration_ms, width, height,
           is_public, public_in_time, file, problem)
         select g.identity_id, $5::uuid, ${POST_VALUES('g.published_at')} from chosen g
         on conflict (identity_id, remote_id) do update set ${UPDATED}
         where (watched_post.text, watched_post.url, watched_post.file, watched_post.is_public, watched_post.problem)
             is distinct from (excluded.text, excluded.url, excluded.file, excluded.is_public, excluded.problem)
           or watched_post.missing_since is not null
         returning ${WRITTEN})
     select d.dropped, w.* from (
       select ((select count(*) from changed) - (select count(*) from chosen))::integer as dropped) d
       left join written w on true`,
    [watch.id, JSON.stringify(rows), watch.key, watch.began_at, watch.user_id],
  );
  const open = rows.filter((row) => row.is_public).map((row) => row.remote_id);
  if (open.length > 0) await reopenPublic(tx, watch.id, open);
  const written = results.filter((row): row is { dropped: number } & Written => typeof row.id === 'string');
  await followChanges(tx, written);
  return { added: written.filter(({ added }) => added).length, dropped: results[0]?.dropped ?? 0 };
}

/** Stores why not all posts of a check were stored. Index: primary key. */
export async function noteProblem(tx: Queryable, watchId: string, problem: MessageRef): Promise<void> {
  await tx.execute('update watch set problem = $2 where id = $1', [watchId, JSON.stringify(storedMessage(problem))]);
}

/** A post of the back catalog. */
export interface StoredCatalogPost {
  id: string;
  remoteId: string;
}

/**
 * How long older posts must wait until there is room to store them, in ms; 0 if there is. Posts that are known need none.
 * Indexes: unique key of watched_post, watched_post_found.
 */
export async function catalogWaitMs(tx: Queryable, identityId: string, posts: readonly BoundedPost[]): Promise<number> {
  const [row] = await tx.query<{ waitMs: number | null }>(
    `with fresh as (select count(*) as rows from unnest($2::text[]) g (remote_id)
       where not exists (select from watched_post w where w.identity_id = $1 and w.remote_id = g.remote_id)),
     recent as (select w.found_at, row_number() over (order by w.found_at desc) as place from watched_post w
       where w.identity_id = $1 and w.found_at > app_now() - interval '1 day')
     select (extract(epoch from max(r.found_at) + interval '1 day' - app_now()) * 1000)::float8 as "waitMs"
     from recent r, fresh f where f.rows > 0 and r.place > ${MAX_CATALOG_POSTS} - f.rows`,
    [identityId, posts.map(({ remoteId }) => remoteId)],
  );
  return row?.waitMs ?? 0;
}

/**
 * Stores older posts, in a transaction, without regard to the moment of a watch, or finds those already stored. If the
 * platform gives no time, the ledger's counts.
 * @returns them in the given order. Indexes: unique key of watched_post, placement_remote.
 */
export async function storeCatalog(
  tx: Queryable,
  { identityId, userId }: { identityId: string; userId: string },
  posts: readonly BoundedPost[],
  startedAt: number,
): Promise<StoredCatalogPost[]> {
  const rows = posts.map((post) => storedPost(post, startedAt));
  const stored = await tx.query<StoredCatalogPost & Written>(
    `with given as (${givenPosts('$2')}),
     written as (
       insert into watched_post (identity_id, user_id, remote_id, published_at, text, url, duration_ms, width, height,
           is_public, public_in_time, file, problem)
         select $1, $3::uuid, ${POST_VALUES('least(g.published_at, p.published_at)')}
         from given g left join placement p on p.identity_id = $1 and p.remote_id = g.remote_id
         on conflict (identity_id, remote_id) do update set ${UPDATED}
         returning watched_post.remote_id as "remoteId", ${WRITTEN})
     select * from written`,
    [identityId, JSON.stringify(rows), userId],
  );
  await followChanges(tx, stored);
  const byId = new Map(stored.map(({ id, remoteId }) => [remoteId, { id, remoteId }]));
  return rows.flatMap(({ remote_id }) => byId.get(remote_id) ?? []);
}

/**
 * Checks these identities now, because the platform announced something. One that waits for a reason (the platform asked
 * for it, a budget is empty, checks fail) keeps waiting. @returns number of checks moved. Index: primary keys.
 */
export async function hurryWatches(db: Queryable, identityIds: readonly string[]): Promise<number> {
  return db.execute(
    `update watch w set due_at = app_now() from identity d
     where d.id = any($1::uuid[]) and w.id = d.watch_id and w.due_at > app_now() and w.problem is null`,
    [identityIds],
  );
}
