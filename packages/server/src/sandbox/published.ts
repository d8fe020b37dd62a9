/** The published posts of all simulated platforms, as shown in the feed. */
import type { PublishedEntry } from '../connectors/kit/simulator.ts';
import type { Queryable } from '../db/database.ts';
import type { SandboxBooks } from './books.ts';
import { fromJsonb } from './jsonb.ts';

export interface FeedEntry extends PublishedEntry {
  platform: string;
}

export interface PublishedSource {
  /** In order of publication. */
  all(): Promise<FeedEntry[]>;
  /** The entry with this id; the latest if there are several. */
  find(platform: string, id: string): Promise<FeedEntry | null>;
}

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

/** Reads simulator stores by platform, of any kind. */
export function publishedInBooks(books: Readonly<Record<string, SandboxBooks>>): PublishedSource {
  const all = async () => {
    const entries = await Promise.all(
      Object.entries(books).map(async ([platform, each]) =>
        (await each.published()).map((entry): FeedEntry => ({ ...entry, platform })),
      ),
    );
    return entries.flat().sort((a, b) => a.publishedAt - b.publishedAt);
  };
  return {
    all,
    find: async (platform, id) =>
      (await all()).findLast((entry) => entry.platform === platform && entry.id === id) ?? null,
  };
}
