/** Reads older posts of a source, which its rules have not seen, so that the user can select some to repost. */
import type { WatchedPost } from '../connectors/contract.ts';
import { BudgetEmpty } from '../outbound/platform-error.ts';
import type { SessionSource } from '../publishing/sessions.ts';
import { type CatalogPage, findCatalogPage, storeCatalogPage } from './catalog-page-store.ts';
import { chargedList, type ListDeps } from './charged-list.ts';
import { openReader, READING_SHARE } from './open-reader.ts';
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
  deps: ListDeps & { sessions: SessionSource },
  source: CatalogSource,
  cursor: string,
): Promise<CatalogPage> {
  const { watch } = deps.sessions.connector(source.platform);
  if (!watch || watch.newOnly) return { posts: [], next: '' };
  const known = await findCatalogPage(deps.db, source.accountId, cursor);
  if (known) return known;
  const { session, startedAt } = await openReader(deps, source, READING_SHARE);
  const flow = chargedList(deps, watch, { ...source, askedBy: source.userId });
  const { posts, next } = await flow.list(session, { cursor, since: 0, mark: null });
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
