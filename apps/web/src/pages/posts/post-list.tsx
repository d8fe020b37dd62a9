/** A virtualized list: only the entries near the viewport are rendered. */
import { Loader } from '@mantine/core';
import type { PostFilter } from '@reelay/sdk';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFreshPages } from '../../live/use-fresh-pages.ts';
import { type HistoryPages, pagesBetween } from '../../queries/history-pages.ts';
import type { PostRow } from '../../ui/fold-reposts.ts';
import { FoldedPost } from './folded-post.tsx';
import classes from './posts.module.css';

/** Estimated height of an entry before it is measured, in px. */
const ESTIMATE = 134;
/** Entries that are rendered above and below the viewport. */
const OVERSCAN = 6;
/** The next page is loaded when this number of entries remains below those that are rendered. */
const AHEAD = 14;

interface PostListProps {
  filter: PostFilter;
  history: HistoryPages;
  rows: readonly PostRow[];
  /** Whether the rows belong to the previous filter. */
  isOutdated: boolean;
  hasMore: boolean;
  isLoadingMore: boolean;
  onMore(): void;
}

export function PostList({ filter, history, rows, isOutdated, hasMore, isLoadingMore, onMore }: PostListProps) {
  const t = useTranslations('posts');
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) => setUnfolded((before) => before.symmetricDifference(new Set([id])));
  useLayoutEffect(() => {
    const measure = () => setTop((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
    measure();
    // The filters above the list may wrap, which moves the list.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ESTIMATE,
    overscan: OVERSCAN,
    scrollMargin: top,
    // So that the first rendering has entries. By default they follow in a second one, which blocks the page.
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    getItemKey: (index) => rows[index]?.entry.id ?? index,
  });
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useFreshPages(filter, isOutdated ? [] : pagesBetween(history, rows[first]?.index ?? 0, rows[last]?.index ?? 0));
  const isNearEnd = hasMore && !isLoadingMore && !isOutdated && last >= rows.length - AHEAD;
  useEffect(() => {
    if (isNearEnd) onMore();
  });
  return (
    <>
      <ul
        ref={list}
        className={classes.list}
        style={{ height: virtual.getTotalSize(), opacity: isOutdated ? 0.6 : 1 }}
        aria-label={t('title')}
      >
        {items.map(({ key, index, start }) => {
          const row = rows[index];
          return (
            row && (
              <li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                aria-setsize={hasMore ? -1 : rows.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start - top}px)` }}
              >
                <FoldedPost row={row} isOpen={unfolded.has(row.entry.id)} onToggle={toggle} />
              </li>
            )
          );
        })}
      </ul>
      {isLoadingMore && <Loader size="sm" mx="auto" aria-label={t('loadingMore')} />}
    </>
  );
}
