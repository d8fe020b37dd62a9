/** Keeps the pages of a history up to date that are shown. */
import type { PostFilter } from '@reelay/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useClient } from '../queries/client.ts';
import { type HistoryPages, historyQuery, isReading, readEntryAgain, readPageAgain } from '../queries/history.ts';
import { pageOfPost } from '../queries/history-pages.ts';
import { useLiveEvents, useLiveState } from './use-live.ts';

/** Changes that arrive within this time, in ms, are read together. */
const TOGETHER_MS = 700;
/** Above this number of changed posts, pages are read instead. */
const MAX_SINGLE = 3;
/** How often the shown pages are read while changes do not arrive, in ms. */
const POLL_MS = 5_000;

/** What must be read again. */
interface Stale {
  /** Indexes of pages. */
  pages: Set<number>;
  /** Ids of posts. */
  posts: Set<string>;
}

/** @param shown indexes of the pages that are shown */
export function useFreshPages(filter: PostFilter, shown: readonly number[]): void {
  const client = useClient();
  const queries = useQueryClient();
  const stale = useRef<Stale>({ pages: new Set(), posts: new Set() });
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const { queryKey } = historyQuery(client, filter);
  const state = useLiveState();
  const key = JSON.stringify(queryKey);
  const source = { client, queries, filter };
  const known = () => queries.getQueryData<HistoryPages>(queryKey);

  const read = useEffectEvent(async () => {
    const { pages, posts } = stale.current;
    const history = known();
    // Marks stay while more pages are read, and are served afterwards.
    if (!history || isReading(source)) return;
    const single = [...posts];
    posts.clear();
    if (single.length > MAX_SINGLE) for (const id of single) pages.add(pageOfPost(history, id));
    else
      for (const id of single) {
        if (!shown.includes(pageOfPost(history, id))) {
          pages.add(pageOfPost(history, id));
          continue;
        }
        const result = await readEntryAgain(source, history, id);
        if (result === 'repeat') posts.add(id);
        if (result === 'moved') markAll();
      }
    for (const index of shown)
      if (pages.delete(index)) {
        const latest = known();
        if (latest && !(await readPageAgain(source, latest, index))) pages.add(index);
      }
  });
  const isDue = useEffectEvent(
    () => stale.current.posts.size > 0 || shown.some((index) => stale.current.pages.has(index)),
  );
  const schedule = useEffectEvent((delayMs: number) => {
    if (timer.current !== null || !isDue()) return;
    timer.current = setTimeout(() => {
      // What fails stays unchanged: the next change, poll or connection reads it again.
      void read()
        .catch(() => {})
        .finally(() => {
          timer.current = null;
          schedule(TOGETHER_MS);
        });
    }, delayMs);
  });
  const markAll = useEffectEvent(() => {
    for (const index of known()?.pages.keys() ?? []) stale.current.pages.add(index);
  });

  useLiveEvents((event) => {
    if (event.type === 'post') {
      const history = known();
      // The response that is awaited may be older than the change.
      if (!history) stale.current.pages.add(0);
      else if (pageOfPost(history, event.id) >= 0) stale.current.posts.add(event.id);
      else markAll();
    } else if (event.type === 'resync') markAll();
    schedule(TOGETHER_MS);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for every filter
  useEffect(() => {
    stale.current = { pages: new Set(), posts: new Set() };
    // Changes were not noted while the history was not shown. The first connection tells whether any were missed.
    if (state === 'connecting') return;
    markAll();
    schedule(0);
  }, [key]);
  useEffect(() => {
    if (state !== 'down') return;
    const interval = setInterval(() => {
      markAll();
      schedule(0);
    }, POLL_MS);
    return () => clearInterval(interval);
  }, [state]);
  const place = shown.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: when other pages are shown
  useEffect(() => schedule(0), [place]);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
}
