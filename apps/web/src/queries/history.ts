/** The history of posts: a search, in pages. */
import type { PostFilter, ReelayClient } from '@reelay/sdk';
import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query';
import { type HistoryPage, type HistoryPages, pageOf, pageOfPost, replaceEntry, replacePage } from './history-pages.ts';
import { postKeys } from './keys.ts';

/** Posts per page. */
const PAGE = 30;
/** Read for a page that is read again, so that a few new posts fit. */
const PAGE_AGAIN = 60;

export type { HistoryPages } from './history-pages.ts';

/** The pages are not read again by themselves, see `useFreshPages`. */
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

/** Whether pages are being read. What is written meanwhile is lost: the pages that arrive replace it. */
export function isReading({ client, queries, filter }: Source): boolean {
  const { queryKey } = historyQuery(client, filter);
  return (queries.getQueryState(queryKey)?.fetchStatus ?? 'idle') !== 'idle';
}

/** @returns false if pages are being read, and nothing was changed */
function change(source: Source, update: (pages: HistoryPages) => HistoryPages): boolean {
  if (isReading(source)) return false;
  const { queryKey } = historyQuery(source.client, source.filter);
  source.queries.setQueryData<HistoryPages>(queryKey, (pages) => pages && update(pages));
  return true;
}

/** Reads one page again. @returns false if more pages were read meanwhile, so that it has to be repeated */
export async function readPageAgain(source: Source, pages: HistoryPages, index: number): Promise<boolean> {
  const cursor = pages.pageParams[index];
  const old = pages.pages[index];
  if (cursor === undefined || !old) return true;
  const limit = Math.min(100, Math.max(PAGE_AGAIN, old.data.length + PAGE));
  const read = await source.client.posts.search(source.filter, { limit, ...cursorOf(cursor) });
  // The pages may have changed meanwhile.
  return change(source, (now) => (now.pageParams[index] === cursor ? replacePage(now, index, read) : now));
}

/** Reads one post of the pages again. @returns `moved`: not at its place anymore; `repeat`: as {@link readPageAgain} */
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
