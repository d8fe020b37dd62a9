/** What explains the findings of a run: the rows of their targets, and what the platforms recorded. */
import type { Database } from '../packages/server/src/db/database.ts';
import { type Finding, keyOf } from './audit.ts';
import { comparable } from './collect.ts';
import { type AuditedVideo, postKey } from './phone-audit.ts';
import type { Platform } from './platforms.ts';

export interface Case {
  problem: string;
  /** Rows of `target` without the sealed checkpoint, each with its timeline and its placement. */
  targets: object[];
  /** Posts on the platforms with the same account and text. */
  shown: object[];
}

/** Collects the records of each finding. */
export async function readCases(
  db: Database,
  platforms: readonly Pick<Platform, 'name' | 'published'>[],
  findings: readonly Finding[],
): Promise<Case[]> {
  const targets = new Map(
    (await readRows(db, [...new Set(findings.flatMap(({ targetIds }) => targetIds))])).map((row) => [row.id, row]),
  );
  const entries = await Promise.all(
    platforms.map(async ({ name, published }) => (await published()).map((entry) => ({ platform: name, ...entry }))),
  );
  const shown = Map.groupBy(entries.flat(), (entry) => keyOf({ ...entry, username: comparable(entry.username) }));
  return findings.map(({ problem, targetIds, posts }) => ({
    problem,
    targets: targetIds.flatMap((id) => targets.get(id)?.row ?? []),
    shown: [...new Set(posts.map(keyOf))].flatMap((key) => shown.get(key) ?? []),
  }));
}

/** Collects what the service knows of files that phones posted: found posts, downloads, decisions and reposts. */
export async function readPhoneCases(
  db: Database,
  videos: readonly Pick<AuditedVideo, 'name' | 'posts'>[],
): Promise<object[]> {
  const rows = await db.query<{ username: string; platform: string; id: string; row: object }>(
    `select a.platform, a.username, w.remote_id as id, to_jsonb(w) || jsonb_build_object(
       'firings', (select jsonb_agg(to_jsonb(f)) from firing f where f.watched_post_id = w.id),
       'files', (select jsonb_agg(to_jsonb(s)) from source_file s where s.watched_post_id = w.id),
       'placements', (select jsonb_agg(to_jsonb(p)) from placement p where p.origin_id = w.origin_id),
       'targets', (select jsonb_agg(to_jsonb(t) - 'checkpoint' || jsonb_build_object(
           'timeline', (select jsonb_agg(to_jsonb(l) - 'target_id' order by l.id) from timeline l where l.target_id = t.id)))
         from target t where t.origin_id = w.origin_id)) as row
     from watched_post w join lateral (
       select platform, username from account where identity_id = w.identity_id limit 1) a on true`,
  );
  const byPost = Map.groupBy(rows, ({ platform, username, id }) =>
    postKey({ platform, username: comparable(username), id }),
  );
  return videos.map(({ name, posts }) => ({
    name,
    posts: posts.map((post) => ({ ...post, found: (byPost.get(postKey(post)) ?? []).map(({ row }) => row) })),
  }));
}

function readRows(db: Database, ids: readonly string[]): Promise<{ id: string; row: object }[]> {
  return db.query<{ id: string; row: object }>(
    `select t.id, to_jsonb(t) - 'checkpoint' || jsonb_build_object(
       'platform', a.platform, 'username', a.username,
       'placement', (select to_jsonb(p) from placement p where p.target_id = t.id),
       'timeline', (select jsonb_agg(to_jsonb(l) - 'target_id' order by l.id) from timeline l where l.target_id = t.id)
     ) as row
     from target t join account a on a.id = t.account_id where t.id = any($1::uuid[])`,
    [ids],
  );
}
