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
    `insert into timeline (target_id, event, text, platform_code)
     select $1, e.* from unnest($2::text[], $3::text[], $4::text[]) as e (event, text, code)`,
    [targetId, lines.map((line) => line.event), lines.map((line) => line.text), lines.map((line) => line.platformCode)],
  );
}
