/** Pages of older posts that were read from a platform a short time ago. */
import { createHash } from 'node:crypto';
import type { Queryable } from '../db/database.ts';
import { deleteRows } from '../db/delete-rows.ts';
import type { StoredCatalogPost } from './watch-store.ts';

export interface CatalogPage {
  /** Newest first. */
  posts: StoredCatalogPost[];
  /** Where the next page begins; "" if this is the last. */
  next: string;
}

/** How long a page is used instead of the platform's. */
const FRESH = `interval '10 minutes'`;

const keyOf = (cursor: string) => createHash('sha256').update(cursor).digest();

/** Returns a page that was read in the last ten minutes, or null. Indexes: primary keys. */
export async function findCatalogPage(db: Queryable, accountId: string, cursor: string): Promise<CatalogPage | null> {
  const [page] = await db.query<{ next: string; posts: string[] }>(
    `select next, posts from catalog_page where account_id = $1 and cursor = $2 and read_at > app_now() - ${FRESH}`,
    [accountId, keyOf(cursor)],
  );
  if (!page) return null;
  const posts = await db.query<StoredCatalogPost>(
    `select w.id, w.remote_id as "remoteId" from unnest($1::uuid[]) with ordinality as p (id, position)
     join watched_post w on w.id = p.id order by p.position`,
    [page.posts],
  );
  return { posts, next: page.next };
}

/** Stores a page in the transaction of its posts, and deletes the account's older ones. Index: primary key. */
export async function storeCatalogPage(
  tx: Queryable,
  accountId: string,
  cursor: string,
  { posts, next }: CatalogPage,
): Promise<void> {
  await tx.execute(`delete from catalog_page where account_id = $1 and read_at <= app_now() - ${FRESH}`, [accountId]);
  await tx.execute(
    `insert into catalog_page (account_id, cursor, next, posts) select id, $2, $3, $4 from account where id = $1
     on conflict (account_id, cursor) do update
       set read_at = excluded.read_at, next = excluded.next, posts = excluded.posts`,
    [accountId, keyOf(cursor), next, posts.map(({ id }) => id)],
  );
}

/** Deletes pages that nobody reads again. Index: catalog_page_age. */
export function sweepCatalogPages(db: Queryable): Promise<number> {
  return deleteRows(db, 'catalog_page', `read_at <= app_now() - ${FRESH}`);
}
