import type { FoundPost, PostPage, ReelayClient } from '@reelay/sdk';
import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { historyQuery, isReading, readEntryAgain, readPageAgain, type Source } from '../src/queries/history.ts';
import { entriesOf, type HistoryPages } from '../src/queries/history-pages.ts';

function post(id: string, description = ''): FoundPost {
  const date = '2026-08-01T09:30:00.000Z';
  return { id, description, filename: '', result: [], scheduled: false, date, createdAt: date };
}

/** A history of two pages whose second one arrives when the test releases it. */
async function openHistory() {
  const first = [post('b')];
  const second = Promise.withResolvers<PostPage>();
  const search = async (_: unknown, { cursor = '' }: { cursor?: string } = {}) =>
    cursor === '' ? { data: [...first], next: 'more' } : second.promise;
  const client = { posts: { search } } as unknown as ReelayClient;
  const queries = new QueryClient();
  const source: Source = { client, queries, filter: {} };
  const options = historyQuery(client, {});
  const observer = new InfiniteQueryObserver(queries, options);
  const end = observer.subscribe(() => {});
  await expect.poll(() => observer.getCurrentResult().isSuccess).toBe(true);
  const pages = () => queries.getQueryData<HistoryPages>(options.queryKey) as HistoryPages;
  return {
    first,
    source,
    pages,
    shown: () => entriesOf(pages()).map(({ id, description }) => `${id}${description}`),
    loadMore: () => observer.fetchNextPage(),
    release: () => second.resolve({ data: [post('a')], next: null }),
    end,
  };
}

test('a page read while more posts load is repeated', async () => {
  const history = await openHistory();
  const more = history.loadMore();
  expect(isReading(history.source)).toBe(true);
  history.first.splice(0, 1, post('b', ' changed'));
  expect(await readPageAgain(history.source, history.pages(), 0)).toBe(false);
  history.release();
  await more;
  expect(history.shown()).toEqual(['b', 'a']);
  expect(await readPageAgain(history.source, history.pages(), 0)).toBe(true);
  expect(history.shown()).toEqual(['b changed', 'a']);
  history.end();
});

test('a post read while more posts load is repeated', async () => {
  const history = await openHistory();
  const more = history.loadMore();
  history.first.splice(0, 1, post('b', ' changed'));
  expect(await readEntryAgain(history.source, history.pages(), 'b')).toBe('repeat');
  history.release();
  await more;
  expect(await readEntryAgain(history.source, history.pages(), 'b')).toBe('read');
  expect(history.shown()).toEqual(['b changed', 'a']);
  history.first.splice(0, 1);
  expect(await readEntryAgain(history.source, history.pages(), 'b')).toBe('moved');
  history.end();
});
