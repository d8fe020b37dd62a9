/** Reads older posts of a source, which its rules have not seen, so that the user can select some to repost. */
import type { WatchedPost } from '../connectors/contract.ts';
import type { Database } from '../db/database.ts';
import { BudgetEmpty } from '../outbound/platform-error.ts';
import { READING_SHARE } from '../publishing/budgets.ts';
import type { SessionSource } from '../publishing/sessions.ts';
import { type CatalogPage, findCatalogPage, storeCatalogPage } from './catalog-page-store.ts';
import { openReader } from './open-reader.ts';
import { catalogWaitMs, storeCatalog } from './watch-store.ts';

/** The account whose posts are read. */
export interface CatalogSource {
  accountId: string;
  identityId: string;
  userId: string;
  platform: string;
  service: string;
  sandbox: boolean;
}

/**
 * Reads one page of posts, newest first, and stores them, so that they can be selected by their ids. A page that was
 * read in the last ten minutes is not asked for again, and costs nothing. A platform that keeps no history returns none.
 * @param cursor "" for the newest posts
 * @throws PlatformError, NetworkError, BudgetEmpty
 */
export async function readCatalog(
  deps: { db: Database; sessions: SessionSource },
  source: CatalogSource,
  cursor: string,
): Promise<CatalogPage> {
  const { watch } = deps.sessions.connector(source.platform);
  if (!watch || watch.newOnly) return { posts: [], next: '' };
  const known = await findCatalogPage(deps.db, source.accountId, cursor);
  if (known) return known;
  const { list, startedAt } = await openReader(deps, source, { share: READING_SHARE, isAsked: true });
  const { posts, next } = await list({ cursor, since: 0, mark: null });
  return deps.db.transaction(async (tx) => {
    const found = unique(posts);
    // All of a page or nothing, so that no post is missing behind its cursor.
    const waitMs = await catalogWaitMs(tx, source.identityId, found);
    if (waitMs > 0) throw new BudgetEmpty('catalog', waitMs, 'daily');
    const page = { posts: await storeCatalog(tx, source, found, startedAt), next };
    await storeCatalogPage(tx, source.accountId, cursor, page);
    return page;
  });
}

function unique<Post extends WatchedPost>(posts: readonly Post[]): Post[] {
  return [...new Map(posts.map((post) => [post.remoteId, post])).values()];
}
