/** SQL of posts that a check or a list found, compared with those that are stored. */
import { FIRING_DAYS } from '../lineage/firings.ts';

/** SQL: rows of posts `g`. @param given parameter with their JSON */
export const givenPosts = (given: string): string => `
  select * from jsonb_to_recordset(${given}::jsonb) as g (account text, remote_id text, published_at timestamptz, text text,
    url text, duration_ms integer, width integer, height integer, is_public boolean, file jsonb, problem jsonb)`;

/**
 * SQL condition: a known post `w` equals the found one `g`. It is left out, because `on conflict do update` locks a row, and
 * so writes to it, even if it changes nothing.
 */
const IS_UNCHANGED = `w.missing_since is null and (w.text, w.url, w.file, w.is_public, w.problem)
  is not distinct from (g.text, g.url, nullif(g.file, 'null'), g.is_public, nullif(g.problem, 'null'))`;

/** Parameters of a statement, such as `$1`. */
export interface FoundParameters {
  /** Id of the watch. */
  watch: string;
  /** JSON of the found posts. */
  posts: string;
  /** The watched account, for posts that name none. */
  key: string;
  /** Older posts are ignored. */
  since: string;
}

/**
 * SQL of two common table expressions: `given`, the found posts, and `changed`, those that are new or were changed. Posts that
 * the ledger keeps from long ago are neither. Indexes: identity_watch, unique key of watched_post, placement_remote.
 */
export const changedPosts = ({ watch, posts, key, since }: FoundParameters): string => `
  given as (${givenPosts(posts)}),
  changed as (
    select g.*, d.id as identity_id, w.id is not null as is_known
    from given g join identity d on d.watch_id = ${watch} and d.remote_id = coalesce(g.account, ${key})
      left join watched_post w on w.identity_id = d.id and w.remote_id = g.remote_id
    where g.published_at >= ${since} and case when w.id is not null then not (${IS_UNCHANGED})
      else not exists (select from placement p
        where p.identity_id = d.id and p.remote_id = g.remote_id
          and p.published_at < app_now() - ${FIRING_DAYS} * interval '1 day') end)`;
