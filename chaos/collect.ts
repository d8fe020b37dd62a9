/** Reads the evidence of a run: the targets in the service's database, and the posts on the platforms. */
import type { Database } from '../packages/server/src/db/database.ts';
import type { AuditedTarget, Published } from './audit.ts';
import type { ChangedTarget } from './change-audit.ts';
import { type AuditedVideo, type FailedRepost, type FoundPost, postKey } from './phone-audit.ts';
import type { Platform } from './platforms.ts';

/** @param postId null: of all posts */
export async function readTargets(db: Database, postId: string | null = null): Promise<AuditedTarget[]> {
  const rows = await db.query<AuditedTarget>(
    `select t.id, t.post_id as "postId", t.origin_id as "originId", t.account_id as "accountId", a.platform, a.username,
       coalesce(t.caption, p.description) as text, t.state, t.code
     from target t join post p on p.id = t.post_id join account a on a.id = t.account_id
     where $1::uuid is null or t.post_id = $1`,
    [postId],
  );
  return rows.map((row) => ({ ...row, username: comparable(row.username) }));
}

/** The targets of changed posts that are left. */
export function readChanged(db: Database, postIds: readonly string[]): Promise<ChangedTarget[]> {
  return db.query<ChangedTarget>(
    `select t.post_id as "postId", t.account_id as "accountId", coalesce(t.caption, p.description) as text,
       (extract(epoch from t.begun_at) * 1000)::float8 as "begunAt"
     from target t join post p on p.id = t.post_id where t.post_id = any($1::uuid[])`,
    [postIds],
  );
}

/** The identity of each account. */
export async function readIdentities(db: Database): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; identity: string }>('select id, identity_id as identity from account');
  return new Map(rows.map(({ id, identity }) => [id, identity]));
}

/** A post that a simulated platform shows, with what identifies its video. */
export interface ShownPost extends Published {
  id: string;
  sha256: string;
  /** In ms since the epoch, by the platform's clock. */
  publishedAt: number;
}

export async function readPublished(platforms: readonly Platform[]): Promise<ShownPost[]> {
  const read = async ({ name, published }: Platform) =>
    (await published()).map(({ username, text, id, sha256, publishedAt }) => ({
      ...{ platform: name, username: comparable(username), text },
      ...{ id, sha256, publishedAt },
    }));
  return (await Promise.all(platforms.map(read))).flat();
}

/** What the service found on watched accounts and made elsewhere, with what its rules decided. */
export async function readFound(db: Database): Promise<FoundPost[]> {
  const rows = await db.query<FoundPost>(
    `select a.platform, a.username, w.remote_id as id, w.state,
       (select count(*)::integer from source_file s where s.watched_post_id = w.id and s.state = 'stored') as files,
       (select coalesce(jsonb_agg(case when f.state = 'skipped' then 'skipped ' || (f.reason->>'code') || coalesce(' ' || (f.reason->'params'->'reason'->>'code'), '')
           when f.state = 'waiting' then 'waiting ' || coalesce(f.reason->>'code', 'undecided') else f.state end), '[]')
         from firing f where f.watched_post_id = w.id) as decisions
     from watched_post w join lateral (
       select platform, username from account where identity_id = w.identity_id limit 1) a on true
     where w.state <> 'own'`,
  );
  return rows.map((row) => ({ ...row, username: comparable(row.username) }));
}

/** Normalizes a username: without server, with one kind of separator (`@nora_1@example.org` → `nora.1`). */
export function comparable(username: string): string {
  return username.toLowerCase().replace(/^@/, '').replace(/@.*$/, '').replaceAll(/[._-]/g, '.');
}

/**
 * Reposts of phone posts that failed, by the name of the file. They are found by the origin that the service gave to
 * the phone posts.
 */
export async function readFailures(
  db: Database,
  videos: readonly Pick<AuditedVideo, 'name' | 'posts'>[],
): Promise<Map<string, FailedRepost[]>> {
  const rows = await db.query<FailedRepost & { source: string; owner: string; id: string }>(
    `select a.platform, a.username, coalesce(t.code, 'none') as code, s.platform as source, s.username as owner,
       w.remote_id as id
     from target t join account a on a.id = t.account_id join watched_post w on w.origin_id = t.origin_id
       join lateral (select platform, username from account where identity_id = w.identity_id limit 1) s on true
     where t.state = 'failed' and w.state <> 'own'`,
  );
  const failedOf = Map.groupBy(rows, ({ source, owner, id }) =>
    postKey({ platform: source, username: comparable(owner), id }),
  );
  const described = ({ platform, username, code }: FailedRepost) => ({
    platform,
    username: comparable(username),
    code,
  });
  return new Map(
    videos.map(({ name, posts }) => [
      name,
      posts.flatMap((post) => (failedOf.get(postKey(post)) ?? []).map(described)),
    ]),
  );
}

/** Rules' decisions that are missing, described in one line each. */
export async function readWaiting(db: Database): Promise<string[]> {
  const rows = await db.query<{ id: string; reason: string | null }>(
    `select id, reason->>'code' as reason from firing where state = 'waiting'`,
  );
  return rows.map(({ id, reason }) => `The firing ${id} waits: ${reason ?? 'undecided'}.`);
}

/** Counts the posts that watches found and that were made elsewhere. */
export async function countFound(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::integer as count from watched_post where state in ('foreign', 'echo')`,
  );
  return row?.count ?? 0;
}

/** Counts unfinished targets and waiting firings. */
export async function countUnfinished(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select (select count(*) from target where state not in ('posted', 'failed'))
       + (select count(*) from firing where state = 'waiting') as count`,
  );
  return row?.count ?? 0;
}

/** Counts outcomes of targets, most frequent first, for the report. */
export function tally(targets: readonly AuditedTarget[]): string[] {
  const counts = new Map<string, number>();
  for (const { state, code } of targets) {
    const name = code ? `${state} ${code}` : state;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([name, count]) => `${count} ${name}`);
}
