/**
 * The pages of a long history that changes. Only shown pages are refetched, and a page keeps its end, so
 * that the pages below it stay valid. Pure.
 */
import type { FoundPost, PostPage } from '@reelay/sdk';
import type { InfiniteData } from '@tanstack/react-query';

/** The position of a post. */
type Position = Pick<FoundPost, 'date' | 'id'>;

export interface HistoryPage extends PostPage {
  /** The position before the next page; null if this page is the last. */
  end: Position | null;
}

/** Page parameters are cursors; "" selects the newest page. */
export type HistoryPages = InfiniteData<HistoryPage, string>;

export function pageOf({ data, next }: PostPage): HistoryPage {
  const last = data.at(-1);
  return { data, next, end: next === null || !last ? null : { date: last.date, id: last.id } };
}

export function entriesOf({ pages }: HistoryPages): FoundPost[] {
  return pages.flatMap(({ data }) => data);
}

/** Index of the page that contains the post; -1 if none does. */
export function pageOfPost({ pages }: HistoryPages, id: string): number {
  return pages.findIndex(({ data }) => data.some((entry) => entry.id === id));
}

/** The indexes of the pages that contain these entries of {@link entriesOf}. @param last inclusive */
export function pagesBetween({ pages }: HistoryPages, first: number, last: number): number[] {
  let start = 0;
  return pages.flatMap(({ data }, index) => {
    const from = start;
    start += data.length;
    // An empty page has the position between its neighbors.
    return from <= last && Math.max(from, start - 1) >= first ? [index] : [];
  });
}

/** The order of the history: by date, then by id, descending. */
function isAtOrBefore(one: Position, other: Position): boolean {
  const difference = Date.parse(one.date) - Date.parse(other.date);
  return difference > 0 || (difference === 0 && one.id >= other.id);
}

/**
 * Replaces a page by the refetched entries from its cursor to its previous end. If more was added than was read, the
 * pages below are dropped and refetched when the user reaches them.
 */
export function replacePage({ pages, pageParams }: HistoryPages, index: number, read: PostPage): HistoryPages {
  const old = pages[index];
  const end = old?.end;
  if (!old || !end) return { pageParams, pages: old ? pages.with(index, pageOf(read)) : pages };
  const last = read.data.at(-1);
  const isCutOff = read.next !== null && last !== undefined && last.id !== end.id && isAtOrBefore(last, end);
  if (isCutOff) return { pageParams: pageParams.slice(0, index + 1), pages: [...pages.slice(0, index), pageOf(read)] };
  const below = new Set(pages.slice(index + 1).flatMap(({ data }) => data.map(({ id }) => id)));
  const data = read.data.filter((entry) => isAtOrBefore(entry, end) && !below.has(entry.id));
  return { pageParams, pages: pages.with(index, { ...old, data }) };
}

/** Replaces one entry. @returns null if the post has moved */
export function replaceEntry(history: HistoryPages, id: string, found: readonly FoundPost[]): HistoryPages | null {
  const entry = found.find((each) => each.id === id);
  const index = pageOfPost(history, id);
  const page = history.pages[index];
  if (!entry || !page) return null;
  const data = page.data.map((each) => (each.id === id ? entry : each));
  return { ...history, pages: history.pages.with(index, { ...page, data }) };
}
