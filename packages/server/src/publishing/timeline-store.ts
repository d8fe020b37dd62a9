/** Appends to timelines from outside a worker. */
import type { Queryable } from '../db/database.ts';
import { storedEntry } from './stored-texts.ts';
import type { TimelineEntry } from './target.ts';

export async function appendTimeline(
  db: Queryable,
  targetId: string,
  entries: readonly TimelineEntry[],
): Promise<void> {
  const lines = entries.map(storedEntry);
  await db.execute(
    `insert into timeline (target_id, event, code, params, platform_code)
     select $1, e.* from unnest($2::text[], $3::text[], $4::jsonb[], $5::text[]) as e (event, code, params, platform)`,
    [
      targetId,
      lines.map((line) => line.event),
      lines.map((line) => line.code),
      lines.map((line) => line.params),
      lines.map((line) => line.platformCode),
    ],
  );
}
