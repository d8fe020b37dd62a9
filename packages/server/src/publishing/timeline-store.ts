/** Appends to timelines from outside a worker. */
import type { Queryable } from '../db/database.ts';
import { storedEntry } from './stored-texts.ts';
import type { TimelineEntry } from './target.ts';

/** Newest lines of a target that are kept and shown. A user can edit and retry a post without end. */
export const MAX_LINES = 40;

/**
 * Appends the same lines to the timelines of targets, and deletes their oldest lines above {@link MAX_LINES}. The newest
 * line of each code stays: the turns of late targets and texts that the user changed are known from it. Index:
 * timeline_target.
 */
export async function appendTimeline(
  db: Queryable,
  targetIds: readonly string[],
  entries: readonly TimelineEntry[],
): Promise<void> {
  const lines = entries.map(storedEntry);
  await db.execute(
    `with aged as (
       select id, row_number() over (partition by target_id order by id desc) as age,
         row_number() over (partition by target_id, code order by id desc) as age_of_code
       from timeline where target_id = any($1::uuid[])),
     trimmed as (delete from timeline l using aged where l.id = aged.id and aged.age > $6 and aged.age_of_code > 1)
     insert into timeline (target_id, event, code, params, platform_code)
     select target, e.event, e.code, e.params, e.platform from unnest($1::uuid[]) target,
       unnest($2::text[], $3::text[], $4::jsonb[], $5::text[]) with ordinality as e (event, code, params, platform, n)
     order by target, e.n`,
    [
      targetIds,
      lines.map((line) => line.event),
      lines.map((line) => line.code),
      lines.map((line) => line.params),
      lines.map((line) => line.platformCode),
      Math.max(MAX_LINES - lines.length, 0),
    ],
  );
}
