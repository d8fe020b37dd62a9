import { expect, test } from 'vitest';
import type { Session, WatchedPost, WatchFlow, WatchPage } from '../../src/connectors/contract.ts';
import { readPosts } from '../../src/watching/read-posts.ts';

const post = (remoteId: string, publishedAt: number | null = 1_000): WatchedPost => ({
  remoteId,
  publishedAt,
  text: '',
  url: null,
  durationMs: null,
  width: null,
  height: null,
  isPublic: true,
  file: null,
});
const session = {} as Session;
const from = { since: 500, mark: null };

/** A platform that answers each cursor with a page. */
function paged(pages: Record<string, Partial<WatchPage>>) {
  const asked: string[] = [];
  const flow: WatchFlow = {
    async list(_session, { cursor }) {
      asked.push(cursor);
      return { posts: [], next: '', ...pages[cursor] };
    },
  };
  return { flow, asked };
}

const ids = (posts: readonly WatchedPost[]) => posts.map(({ remoteId }) => remoteId);

test('pages are read until one is entirely older', async () => {
  const { flow, asked } = paged({
    '': { posts: [post('4'), post('3', 400)], next: 'b' },
    b: { posts: [post('2', 400), post('1', 300)], next: 'c' },
    c: { posts: [post('0')] },
  });
  const read = await readPosts(
    (at) => flow.list(session, at),
    from,
    () => false,
  );
  expect(asked).toEqual(['', 'b']);
  expect(ids(read.posts)).toEqual(['4', '3', '2', '1']);
  expect(read).toMatchObject({ problem: null, again: false });
});

test('a post that moves between pages is read once', async () => {
  const { flow } = paged({
    '': { posts: [post('3'), post('2')], next: 'b' },
    b: { posts: [post('2'), post('1')] },
  });
  expect(
    ids(
      (
        await readPosts(
          (at) => flow.list(session, at),
          from,
          () => false,
        )
      ).posts,
    ),
  ).toEqual(['3', '2', '1']);
});

test('a post without a time does not end the check', async () => {
  const { flow } = paged({ '': { posts: [post('2', null)], next: 'b' }, b: { posts: [post('1')] } });
  expect(
    ids(
      (
        await readPosts(
          (at) => flow.list(session, at),
          from,
          () => false,
        )
      ).posts,
    ),
  ).toEqual(['2', '1']);
});

test('an empty page does not end the check', async () => {
  const { flow } = paged({ '': { posts: [], next: 'b' }, b: { posts: [post('1')] } });
  expect(
    ids(
      (
        await readPosts(
          (at) => flow.list(session, at),
          from,
          () => false,
        )
      ).posts,
    ),
  ).toEqual(['1']);
});

test.each([
  ['under the same cursor', { '': { posts: [post('1')], next: 'b' }, b: { posts: [post('2')], next: 'b' } }],
  ['under new cursors', { '': { posts: [post('1')], next: 'b' }, b: { posts: [post('1')], next: 'c' } }],
])('a page that is repeated forever %s ends the check', async (_, pages) => {
  const { flow, asked } = paged(pages);
  const read = await readPosts(
    (at) => flow.list(session, at),
    from,
    () => false,
  );
  expect(asked.length).toBeLessThanOrEqual(2);
  expect(read).toMatchObject({ problem: { code: 'list_repeats' }, again: true });
});

test('endless new posts end the check with a problem', async () => {
  let page = 0;
  const flow: WatchFlow = {
    list: async () => ({ posts: [post(String(page))], next: String(++page) }),
  };
  const read = await readPosts(
    (at) => flow.list(session, at),
    from,
    () => false,
  );
  expect(read).toMatchObject({ problem: { code: 'too_many_posts' }, again: false });
  expect(read.posts).toHaveLength(100);
});

test('endless empty pages end the check', async () => {
  let page = 0;
  const flow: WatchFlow = { list: async () => ({ posts: [], next: String(++page) }) };
  expect(
    await readPosts(
      (at) => flow.list(session, at),
      from,
      () => false,
    ),
  ).toMatchObject({
    posts: [],
    problem: { code: 'too_many_posts' },
  });
});

test('the last mark is kept', async () => {
  const { flow } = paged({
    '': { posts: [post('2')], next: 'b', mark: { at: 1 } },
    b: { posts: [post('1')] },
  });
  expect(
    await readPosts(
      (at) => flow.list(session, at),
      from,
      () => false,
    ),
  ).toMatchObject({ mark: { at: 1 } });
});

test('a list that continues requests another check', async () => {
  const { flow } = paged({ '': { posts: [post('1')], mark: { offset: 2 }, more: true } });
  expect(
    await readPosts(
      (at) => flow.list(session, at),
      from,
      () => false,
    ),
  ).toMatchObject({ problem: null, again: false, more: true });
  expect(
    (
      await readPosts(
        (at) => paged({}).flow.list(session, at),
        from,
        () => false,
      )
    ).more,
  ).toBe(false);
});

test('no further page is read once the time is over', async () => {
  const { flow } = paged({ '': { posts: [post('2')], next: 'b' }, b: { posts: [post('1')] } });
  const read = await readPosts(
    (at) => flow.list(session, at),
    from,
    () => true,
  );
  expect(ids(read.posts)).toEqual(['2']);
  expect(read).toMatchObject({ problem: { code: 'list_too_slow' }, again: true });
});
