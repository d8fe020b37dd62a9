import { expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import type { WatchedPost, WatchFlow, WatchPage } from '../../src/connectors/contract.ts';
import { startInstance } from '../connectors/mastodon-driver.ts';
import { describeWatch, type WatchSuite } from '../suites/watch.ts';

const start = closedAfterTest(startInstance);

/** The suite's tests by title, for a connector whose watch is changed. */
function testsOf(spoil: (flow: WatchFlow) => WatchFlow): Map<string, () => Promise<void>> {
  const suite: WatchSuite = {
    platform: 'mastodon',
    username: 'nora',
    pageSize: 40,
    isList: ({ path }) => /^\/api\/v1\/accounts\/\d+\/statuses/.test(path),
    async start() {
      const drive = await start();
      const { connector } = drive;
      if (!connector.watch) throw new Error('Mastodon has no watch.');
      const work = await drive.work('made with Reelay');
      return { drive: { ...drive, connector: { ...connector, watch: spoil(connector.watch) } }, work };
    },
  };
  const found = new Map<string, () => Promise<void>>();
  const define = (title: string, run: () => Promise<void>) => void found.set(title, run);
  const each = (rows: readonly { name: string }[]) => (title: string, run: (row: object) => Promise<void>) => {
    for (const row of rows) define(title.replace('$name', row.name), () => run(row));
  };
  const runner = {
    describe: (_title: string, body: () => void) => body(),
    test: Object.assign(define, { each, runIf: (on: boolean) => (on ? define : () => {}) }),
  };
  describeWatch({ ...suite, runner: runner as unknown as NonNullable<WatchSuite['runner']> });
  return found;
}

const pages = (change: (page: WatchPage) => WatchPage) => (flow: WatchFlow) => ({
  ...flow,
  list: async (...given: Parameters<WatchFlow['list']>) => change(await flow.list(...given)),
});
const posts = (change: (post: WatchedPost) => WatchedPost) =>
  pages((page) => ({ ...page, posts: page.posts.map(change) }));

/** Planted bugs, and the test that detects each. */
const BUGS: readonly (readonly [string, (flow: WatchFlow) => WatchFlow, string])[] = [
  ['reads one page only', pages((page) => ({ ...page, next: '' })), 'every post is read once, over all pages'],
  [
    'loses the last post of a page',
    pages((page) => ({ ...page, posts: page.posts.slice(0, 39) })),
    'posts of the same moment are all read',
  ],
  [
    'omits our own posts',
    pages((page) => ({ ...page, posts: page.posts.filter(({ text }) => text !== 'made with Reelay') })),
    'our own posts have the id of the publish',
  ],
  [
    'collapses line breaks',
    posts((post) => ({ ...post, text: post.text.replaceAll('\n', ' ') })),
    'line breaks, markup and signs of a caption are kept',
  ],
  [
    'takes every post for public',
    posts((post) => ({ ...post, isPublic: true })),
    'a post with a limited audience is not public',
  ],
  [
    'believes any width',
    posts((post) => ({ ...post, width: post.width ?? Number.NaN })),
    'an odd item neither throws nor affects the others',
  ],
  [
    'takes a failure for an empty list',
    (flow) => ({ ...flow, list: (...given) => flow.list(...given).catch(() => ({ posts: [], next: '' })) }),
    'a list with its own 5xx fails in words',
  ],
  [
    'finds files of deleted posts',
    (flow) => ({
      ...flow,
      file: (session, post) =>
        flow.file?.(session, post).then((found) => (found.found === 'gone' ? { found: 'file', url: 'x:' } : found)) ??
        Promise.reject(new Error('No file.')),
    }),
    'the file is the one that the phone posted',
  ],
];

test.each(BUGS)('the suite detects a watch that %s', async (_, spoil, title) => {
  const sound = testsOf((flow) => flow).get(title);
  const spoiled = testsOf(spoil).get(title);
  if (!sound || !spoiled) throw new Error(`There is no test "${title}".`);
  await sound();
  await expect(spoiled()).rejects.toThrow();
});
