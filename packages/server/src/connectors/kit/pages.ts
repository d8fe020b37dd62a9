/** Reads paginated lists. */

export interface Page<T> {
  /** The items that the caller wants. */
  items: readonly T[];
  /** Where the next page begins; "" if none is needed. */
  next: string;
}

/**
 * Limit of a response with a page of posts, on platforms that allow long texts and escape letters beyond ASCII: fifty texts
 * of 13,000 letters.
 */
export const LIST_BYTES = 4 * 1024 * 1024;

export interface PagedList<T> {
  items: T[];
  /** False if the list has more pages than the caller wants to read. */
  complete: boolean;
}

/**
 * Reads pages until one has no successor.
 * @param read reads the page at a cursor; "" for the first
 */
export async function readPages<T>(
  maxPages: number,
  read: (cursor: string) => Promise<Page<T>>,
): Promise<PagedList<T>> {
  const items: T[] = [];
  let cursor = '';
  for (let page = 0; page < maxPages; page++) {
    const { items: found, next } = await read(cursor);
    items.push(...found);
    if (next === '') return { items, complete: true };
    cursor = next;
  }
  return { items, complete: false };
}

/**
 * Keeps the new items of a page. The list is sorted from new to old, so after a page with an old item only older ones
 * follow.
 */
export function newItems<T>({ items, next }: Page<T>, isNew: (item: T) => boolean): Page<T> {
  const found = items.filter(isNew);
  return { items: found, next: found.length < items.length ? '' : next };
}
