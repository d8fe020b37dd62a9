/** A virtualized list: only the entries near the viewport are rendered. */
import { Loader } from '@mantine/core';
import type { FoundPost, PostFilter } from '@reelay/sdk';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFreshPages } from '../../live/use-fresh-pages.ts';
import { type HistoryPages, pagesBetween } from '../../queries/history-pages.ts';
import { PostEntry } from './post-entry.tsx';
import classes from './posts.module.css';

/** Estimated height of an entry before it is measured, in px. */
const ESTIMATE = 134;
const OVERSCAN = 8;
/** The next page is loaded when this number of entries remains below the viewport. */
const AHEAD = 20;

interface PostListProps {
  filter: PostFilter;
  history: HistoryPages;
  entries: readonly FoundPost[];
  /** Whether the entries belong to the previous filter. */
  isOutdated: boolean;
  hasMore: boolean;
  isLoadingMore: boolean;
  onMore(): void;
}

export function PostList({ filter, history, entries, isOutdated, hasMore, isLoadingMore, onMore }: PostListProps) {
  const t = useTranslations('posts');
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => setTop((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
    measure();
    // The filters above the list may wrap, which moves the list.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const virtual = useWindowVirtualizer({
    count: entries.length,
    estimateSize: () => ESTIMATE,
    overscan: OVERSCAN,
    scrollMargin: top,
    getItemKey: (index) => entries[index]?.id ?? index,
  });
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useFreshPages(filter, isOutdated ? [] : pagesBetween(history, first, last));
  const isNearEnd = hasMore && !isLoadingMore && !isOutdated && last >= entries.length - AHEAD;
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
          const entry = entries[index];
          return (
            entry && (
              <li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                aria-setsize={hasMore ? -1 : entries.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start - top}px)` }}
              >
                <PostEntry entry={entry} />
              </li>
            )
          );
        })}
      </ul>
      {isLoadingMore && <Loader size="sm" mx="auto" aria-label={t('loadingMore')} />}
    </>
  );
}
