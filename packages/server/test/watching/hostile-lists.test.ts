/** Servers that users name list more than they are asked for, in any size. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { watch as bluesky } from '../../src/connectors/bluesky/watch.ts';
import type { Session, WatchFlow } from '../../src/connectors/contract.ts';
import { watch as mastodon } from '../../src/connectors/mastodon/watch.ts';
import { DAY, MINUTE, SECOND } from '../../src/lib/time.ts';
import type { ManagedHttp } from '../../src/outbound/http-client.ts';
import { BudgetEmpty } from '../../src/outbound/platform-error.ts';
import { boundedList } from '../../src/watching/bounded-list.ts';
import { readPosts } from '../../src/watching/read-posts.ts';
import { storedPost } from '../../src/watching/stored-post.ts';
import type { AccountRow } from '../harness/rows.ts';
import { clientFor } from '../outbound/http-servers.ts';
import { createWatchWorld, shownPost, type WatchWorld } from './watch-world.ts';

let world: WatchWorld;
let server: Server;
let http: ManagedHttp;
let origin: string;
let userId: string;
let [a, b]: AccountRow[] = [];
/** What the server answers, and the queries that it was asked. */
let answer: (query: URLSearchParams) => unknown;
const asked: URLSearchParams[] = [];

beforeAll(async () => {
  world = await createWatchWorld();
  server = createServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://server').searchParams;
    asked.push(query);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer(query)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  http = clientFor(origin);
});
afterAll(async () => {
  http.close();
  server.close();
  await world.close();
});
beforeEach(async () => {
  await world.db.execute('truncate watch, identity, rule, placement, post, media cascade');
  asked.length = 0;
  userId = await world.newUser();
  [a, b] = [await world.account(userId), await world.account(userId)];
});
afterEach(() => {
  expect(world.errors.splice(0)).toEqual([]);
});

const from = () => a as AccountRow;

const session = () =>
  ({ http: http.request, endpoints: {}, service: origin, secret: {}, remoteId: '1', now: () => Date.now() }) as Session;

/** The account is watched on the server. */
function watched(flow: WatchFlow) {
  world.flow.list = (given, at) => flow.list({ ...session(), now: given.now }, at);
}

const status = (id: number, changes: object = {}) => ({
  id: String(id),
  content: '<p>hi</p>',
  visibility: 'public',
  created_at: new Date(Date.now() - id * SECOND).toISOString(),
  media_attachments: [{ id: '1', type: 'video', url: 'https://m.example/1.mp4' }],
  ...changes,
});

/** Statuses behind `max_id`, the lowest id first, as many as fit in a response. */
function statusesBehind(query: URLSearchParams, last: number) {
  const first = Number(query.get('max_id') ?? 0) + 1;
  const count = Math.min(2_000, last - first + 1);
  return Array.from({ length: Math.max(0, count) }, (_, index) => status(first + index));
}

const record = (index: number, cid = 'bafy') => ({
  uri: `at://did/app.bsky.feed.post/key${index}`,
  value: {
    $type: 'app.bsky.feed.post',
    text: `Post ${index}`,
    embed: { $type: 'app.bsky.embed.video', video: { ref: { $link: cid } } },
  },
});

/** Reads all pages of the catalog. @returns the ids of each page */
async function catalogPages(): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor = ''; pages.length < 50; ) {
    const { posts, next } = await world.catalog(userId, from(), cursor);
    pages.push(posts.map(({ remoteId }) => remoteId));
    if (next === '') return pages;
    cursor = next;
  }
  throw new Error('There are too many pages.');
}

const stored = async () =>
  Number((await world.db.query<{ count: string }>('select count(*) from watched_post'))[0]?.count);

test('a Mastodon page has at most the requested posts', async () => {
  watched(mastodon);
  answer = (query) => statusesBehind(query, 90);
  const pages = await catalogPages();
  expect(pages.map(({ length }) => length)).toEqual([40, 40, 10, 0]);
  expect(new Set(pages.flat()).size).toBe(90);
});

test('an endless Bluesky page gives 100 posts a time', async () => {
  watched(bluesky);
  answer = (query) => ({
    records: query.get('cursor') === 'b' ? [record(250)] : Array.from({ length: 250 }, (_, index) => record(index)),
    ...(query.get('cursor') === 'b' ? {} : { cursor: 'b' }),
  });
  const pages = await catalogPages();
  expect(pages.map(({ length }) => length)).toEqual([100, 100, 50, 1]);
  expect(new Set(pages.flat()).size).toBe(251);
  expect(asked.map((query) => query.get('cursor'))).toEqual([null, null, null, 'b']);
});

test('the catalog stores at most 400 posts a day', async () => {
  watched(mastodon);
  answer = (query) => statusesBehind(query, 5_000);
  await expect(catalogPages()).rejects.toThrow(BudgetEmpty);
  expect(await stored()).toBe(400);
  // What is stored can still be listed.
  await world.db.clock.advance(11 * MINUTE);
  expect((await world.catalog(userId, from())).posts).toHaveLength(40);
  const error = await world.catalog(userId, from(), '400').catch((thrown: unknown) => thrown);
  expect((error as BudgetEmpty).waitMs).toBeGreaterThan(DAY - 15 * MINUTE);
  expect((error as BudgetEmpty).waitMs).toBeLessThanOrEqual(DAY);
  // A day later, there is room.
  await world.db.clock.advance((error as BudgetEmpty).waitMs + SECOND);
  expect((await world.catalog(userId, from(), '400')).posts).toHaveLength(40);
});

test('the catalog leaves room for new posts', async () => {
  watched(mastodon);
  answer = (query) => statusesBehind(query, 5_000);
  await expect(catalogPages()).rejects.toThrow(BudgetEmpty);
  await world.rule(userId, from(), [b as AccountRow]);
  await world.db.clock.advance(SECOND);
  const publishedAt = await world.now();
  world.flow.list = async () => ({ posts: [shownPost({ remoteId: 'new', publishedAt })], next: '' });
  await world.check();
  expect(await stored()).toBe(401);
});

test('a check stops at twice the limit of new posts', async () => {
  answer = (query) => statusesBehind(query, 100_000);
  const read = await readPosts(
    (at) => boundedList(mastodon).list(session(), at),
    { since: 0, mark: null },
    () => false,
  );
  expect(read.posts).toHaveLength(1_000);
  expect(read.problem?.code).toBe('too_many_posts');
  expect(asked).toHaveLength(25);
});

test('a large file reference makes a post without file', async () => {
  watched(bluesky);
  answer = () => ({ records: [record(1, 'x'.repeat(900_000)), record(2)] });
  await world.catalog(userId, from());
  const rows = await world.db.query(
    `select remote_id as id, file, problem->>'code' as problem from watched_post order by remote_id`,
  );
  expect(rows).toEqual([
    { id: 'at://1/app.bsky.feed.post/key1', file: null, problem: 'file_reference_too_large' },
    { id: 'at://1/app.bsky.feed.post/key2', file: { cid: 'bafy' }, problem: null },
  ]);
});

test('a text is cut without splitting a character', async () => {
  watched(mastodon);
  answer = () => [status(1, { content: `${'a'.repeat(19_999)}${'🎬'.repeat(50_000)}` })];
  await world.catalog(userId, from());
  expect((await world.found())['1']?.text).toBe('a'.repeat(19_999));
});

test('a cursor that cannot be stored is an unreadable list', async () => {
  watched(bluesky);
  answer = () => ({ records: [record(1)], cursor: 'c'.repeat(100_000) });
  await expect(world.catalog(userId, from())).rejects.toMatchObject({
    failure: { detail: { code: 'list_unreadable' } },
  });
});

test('posts without bounds cannot be stored', async () => {
  const post = { ...shownPost({ remoteId: '1' }), text: 'x'.repeat(30_000) };
  // @ts-expect-error: the post has no bounds.
  expect(storedPost(post, 0).text).toHaveLength(30_000);
  const { list } = boundedList({ list: async () => ({ posts: [post], next: '' }) });
  const { posts } = await list(session(), { cursor: '', since: 0, mark: null });
  expect(posts.map((each) => storedPost(each, 0).text.length)).toEqual([20_000]);
});
