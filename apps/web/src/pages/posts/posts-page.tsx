/** The history: filters and an infinite list, newest first. */
import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useReducer } from 'react';
import { useTranslations } from 'use-intl';
import { useClient } from '../../queries/client.ts';
import { historyQuery } from '../../queries/history.ts';
import { entriesOf } from '../../queries/history-pages.ts';
import { filterOf, isFiltered, type PostSearch } from '../../queries/post-search.ts';
import { useZone } from '../../time/use-zone.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { foldReposts } from '../../ui/fold-reposts.ts';
import { IconFilterOff } from '../../ui/icons/index.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { RelayPicture } from '../../ui/relay-picture.tsx';
import { PostFilters } from './post-filters.tsx';
import { PostList } from './post-list.tsx';

const ROWS = ['a', 'b', 'c', 'd', 'e'];

export function PostsPage() {
  const t = useTranslations('posts');
  const search = useSearch({ from: '/signed-in/posts' });
  const navigate = useNavigate();
  const zone = useZone();
  const filter = useMemo(() => filterOf(search, zone), [search, zone]);
  const history = useInfiniteQuery({
    ...historyQuery(useClient(), filter),
    placeholderData: keepPreviousData,
  });
  const change = useCallback(
    (next: PostSearch) => void navigate({ to: '/posts', search: next, replace: true, resetScroll: false }),
    [navigate],
  );
  const [resets, countReset] = useReducer((count: number) => count + 1, 0);
  const reset = useCallback(() => {
    countReset();
    change({});
  }, [change]);
  const entries = useMemo(() => (history.data ? entriesOf(history.data) : []), [history.data]);
  const rows = useMemo(() => (history.data ? foldReposts(history.data.pages) : []), [history.data]);
  const isComplete = !history.hasNextPage;
  // The previous result is shown until the result of a changed filter arrives.
  const isRead = history.isSuccess && !history.isPlaceholderData;
  const isEmpty = isRead && isComplete && entries.length === 0;
  return (
    <Stack maw={1100}>
      <PageTitle>{t('title')}</PageTitle>
      {(!isEmpty || isFiltered(search)) && (
        // A reset also discards unfinished input.
        <PostFilters key={resets} search={search} onChange={change} onReset={reset} />
      )}
      <Text c="dimmed" size="sm" aria-live="polite" aria-busy={history.isPlaceholderData}>
        {entries.length > 0 && t(isComplete ? 'count' : 'countMore', { count: entries.length })}
      </Text>
      {isEmpty && !isFiltered(search) && (
        <EmptyState
          image={<RelayPicture name="posts" />}
          title={t('empty')}
          action={
            <Button component={Link} to="/">
              {t('first')}
            </Button>
          }
        >
          {t('emptyHint')}
        </EmptyState>
      )}
      {isEmpty && isFiltered(search) && (
        <EmptyState
          image={IconFilterOff}
          title={t('noMatch')}
          action={
            <Button variant="default" onClick={reset}>
              {t('reset')}
            </Button>
          }
        />
      )}
      {!isRead &&
        !history.isError &&
        entries.length === 0 &&
        ROWS.map((row) => <Skeleton key={row} height={122} radius="md" />)}
      {history.data && (
        <PostList
          filter={filter}
          history={history.data}
          rows={rows}
          isOutdated={history.isPlaceholderData}
          hasMore={history.hasNextPage && !history.isFetchNextPageError}
          isLoadingMore={history.isFetchingNextPage}
          onMore={() => void history.fetchNextPage()}
        />
      )}
      {history.isError && (
        <Stack align="flex-start">
          <Failure error={history.error} />
          <Button
            variant="default"
            loading={history.isFetching}
            onClick={() => void (history.isFetchNextPageError ? history.fetchNextPage() : history.refetch())}
          >
            {t('retry')}
          </Button>
        </Stack>
      )}
    </Stack>
  );
}
