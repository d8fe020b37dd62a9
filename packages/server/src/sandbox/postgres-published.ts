import type { PublishedEntry } from '@reelay/sandbox/contract.ts';
import type { FeedEntry, PublishedSource } from '@reelay/sandbox/feed/published.ts';
import type { Queryable } from '../db/database.ts';
import { fromJsonb } from './jsonb.ts';

/** Reads the schema `sandbox` of the database. */
export function publishedIn(db: Pick<Queryable, 'query'>): PublishedSource {
  const read = (row: { platform: string; entry: unknown }): FeedEntry => ({
    ...fromJsonb<PublishedEntry>(row.entry),
    platform: row.platform,
  });
  return {
    async all() {
      const sql = 'select platform, entry from sandbox.published where not removed order by seq';
      return (await db.query<{ platform: string; entry: unknown }>(sql)).map(read);
    },
    async find(platform, id) {
      // Index: published_by_id.
      const sql = `select platform, entry from sandbox.published where platform = $1 and id = $2 and not removed
        order by seq desc limit 1`;
      const [row] = await db.query<{ platform: string; entry: unknown }>(sql, [platform, id]);
      return row ? read(row) : null;
    },
  };
}
