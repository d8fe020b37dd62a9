/** The history of posts: a search, in pages. */
import type { PostFilter, ReelayClient } from '@reelay/sdk';
import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query';
import { type HistoryPage, type HistoryPages, pageOf, pageOfPost, replaceEntry, replacePage } from './history-pages.ts';

/** Posts per page. */
const PAGE = 30;
/** Read for a page that is read again, so that a few new posts fit. */
const PAGE_AGAIN = 60;

export type { HistoryPages } from './history-pages.ts';

/** The pages are not read again by themselves, see `useFreshPages`. */
export const historyQuery = (client: ReelayClient, filter: PostFilter) =>
  infiniteQueryOptions<HistoryPage, Error, HistoryPages, readonly unknown[], string>({
    queryKey: ['posts', 'search', filter],
    queryFn: async ({ pageParam, signal }) =>
      pageOf(await client.posts.search(filter, { limit: PAGE, signal, ...cursorOf(pageParam) })),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    staleTime: 'static',
  });

const cursorOf = (cursor: string) => (cursor === '' ? {} : { cursor });

interface Source {
  client: ReelayClient;
  queries: QueryClient;
  filter: PostFilter;
}

function change({ client, queries, filter }: Source, update: (pages: HistoryPages) => HistoryPages): void {
  const { queryKey } = historyQuery(client, filter);
  queries.setQueryData<HistoryPages>(queryKey, (pages) => pages && update(pages));
}

/** Reads one page again. */
export async function readPageAgain(source: Source, pages: HistoryPages, index: number): Promise<void> {
  const cursor = pages.pageParams[index];
  const old = pages.pages[index];
  if (cursor === undefined || !old) return;
  const limit = Math.min(100, Math.max(PAGE_AGAIN, old.data.length + PAGE));
  const read = await source.client.posts.search(source.filter, { limit, ...cursorOf(cursor) });
  // The pages may have changed meanwhile.
  change(source, (now) => (now.pageParams[index] === cursor ? replacePage(now, index, read) : now));
}

/** Reads one post of the pages again. @returns whether it is still at its place */
export async function readEntryAgain(source: Source, pages: HistoryPages, id: string): Promise<boolean> {
  const entry = pages.pages[pageOfPost(pages, id)]?.data.find((each) => each.id === id);
  if (!entry) return false;
  const at = Date.parse(entry.date);
  const { data } = await source.client.posts.search({ ...source.filter, from: at, to: at }, { limit: 100 });
  let isInPlace = true;
  change(source, (now) => {
    const next = replaceEntry(now, id, data);
    isInPlace = next !== null;
    return next ?? now;
  });
  return isInPlace;
}
