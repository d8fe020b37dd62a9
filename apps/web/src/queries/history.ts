/** The history of posts, filtered and paginated. */
import type { PostFilter, ReelayClient } from '@reelay/sdk';
import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query';
import { type HistoryPage, type HistoryPages, pageOf, pageOfPost, replaceEntry, replacePage } from './history-pages.ts';
import { postKeys } from './keys.ts';

const PAGE = 30;
/** Number of posts to refetch for a page. It leaves room for a few new posts. */
const PAGE_AGAIN = 60;

export type { HistoryPages } from './history-pages.ts';

/** React Query never refetches these pages; `useFreshPages` does. */
export const historyQuery = (client: ReelayClient, filter: PostFilter) =>
  infiniteQueryOptions<HistoryPage, Error, HistoryPages, readonly unknown[], string>({
    queryKey: postKeys.search(filter),
    queryFn: async ({ pageParam, signal }) =>
      pageOf(await client.posts.search(filter, { limit: PAGE, signal, ...cursorOf(pageParam) })),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    staleTime: 'static',
  });

const cursorOf = (cursor: string) => (cursor === '' ? {} : { cursor });

export interface Source {
  client: ReelayClient;
  queries: QueryClient;
  filter: PostFilter;
}

/** Whether pages are being fetched. The fetched pages replace changes that are written meanwhile. */
export function isReading({ client, queries, filter }: Source): boolean {
  const { queryKey } = historyQuery(client, filter);
  return (queries.getQueryState(queryKey)?.fetchStatus ?? 'idle') !== 'idle';
}

/** @returns false if nothing was changed, because pages are being fetched */
function change(source: Source, update: (pages: HistoryPages) => HistoryPages): boolean {
  if (isReading(source)) return false;
  const { queryKey } = historyQuery(source.client, source.filter);
  source.queries.setQueryData<HistoryPages>(queryKey, (pages) => pages && update(pages));
  return true;
}

/** Refetches one page. @returns false if it must be repeated, because other pages were fetched meanwhile */
export async function readPageAgain(source: Source, pages: HistoryPages, index: number): Promise<boolean> {
  const cursor = pages.pageParams[index];
  const old = pages.pages[index];
  if (cursor === undefined || !old) return true;
  const limit = Math.min(100, Math.max(PAGE_AGAIN, old.data.length + PAGE));
  const read = await source.client.posts.search(source.filter, { limit, ...cursorOf(cursor) });
  // The pages may have changed meanwhile.
  return change(source, (now) => (now.pageParams[index] === cursor ? replacePage(now, index, read) : now));
}

/** Refetches one post. @returns `moved`: its position changed; `repeat`: like false of {@link readPageAgain} */
export async function readEntryAgain(
  source: Source,
  pages: HistoryPages,
  id: string,
): Promise<'read' | 'moved' | 'repeat'> {
  const entry = pages.pages[pageOfPost(pages, id)]?.data.find((each) => each.id === id);
  if (!entry) return 'moved';
  const at = Date.parse(entry.date);
  const { data } = await source.client.posts.search({ ...source.filter, from: at, to: at }, { limit: 100 });
  let isInPlace = true;
  const isChanged = change(source, (now) => {
    const next = replaceEntry(now, id, data);
    isInPlace = next !== null;
    return next ?? now;
  });
  if (!isChanged) return 'repeat';
  return isInPlace ? 'read' : 'moved';
}
