import type { Media } from '@reelay/sandbox/platforms/threads/records.ts';
import { expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { phoneOf } from '../../../sandbox/test/harness/graph-phone.ts';
import { connector } from '../../src/connectors/threads/index.ts';
import { describeWatch } from '../suites/watch.ts';
import { answering, watches, watching } from './graph-watching.ts';
import { startThreads, type Threads } from './threads-driver.ts';

const start = closedAfterTest(startThreads);
const isList = ({ method, path }: { method: string; path: string }) =>
  method === 'GET' && /\/me\/threads(\?|$)/.test(path);
const isNode = ({ method, path }: { method: string; path: string }) =>
  method === 'GET' && /^\/v1\.0\/18\d+(\?|$)/.test(path);
const change = ({ store }: Threads, id: string, values: Partial<Media>) =>
  store.change<Media>('media', id, (known) => known && { ...known, ...values });

watches<Threads>({
  connector,
  start,
  session: async (drive) => drive.open(await drive.connect()),
  flag: (drive, id) => change(drive, id, { flagged: true }),
  setFileLife: (drive, fileLifeMs) => drive.set({ fileLifeMs }),
  isList,
  isNode,
  facts: {},
});

describeWatch({
  platform: 'threads',
  username: 'nora.cuts',
  pageSize: 50,
  isList,
  async start() {
    const drive = await start();
    return { drive, work: await drive.work('made with Reelay') };
  },
});

async function begin() {
  const drive = await start();
  const session = await drive.open(await drive.connect());
  return { drive, session, phone: phoneOf(drive, 'nora.cuts'), ...watching(connector, drive, session) };
}

test.each(['TEXT_POST', 'IMAGE', 'AUDIO', 'REPOST_FACADE'] as const)('%s is not listed', async (type) => {
  const { drive, phone, posts } = await begin();
  await change(drive, (await phone.post('x')).id, { type });
  expect(await posts()).toEqual([]);
});

test('a quote with its own video is listed', async () => {
  const { drive, phone, texts } = await begin();
  await change(drive, (await phone.post('see this')).id, { isQuote: true });
  expect(await texts()).toEqual(['see this']);
});

test('a carousel has no file, and a reason', async () => {
  const { drive, phone, posts } = await begin();
  const { id } = await phone.post('x');
  await change(drive, id, { type: 'CAROUSEL_ALBUM', children: ['IMAGE', 'VIDEO'] });
  const problem = expect.objectContaining({ text: 'The post has several photos or videos.' });
  expect(await posts()).toMatchObject([{ remoteId: id, file: null, problem }]);
});

test('a flagged post has a URL from its shortcode', async () => {
  const { drive, phone, posts } = await begin();
  const { id, url } = await phone.post('x');
  await change(drive, id, { flagged: true });
  expect(await posts()).toMatchObject([{ remoteId: id, url }]);
});

test('texts on a full page do not end the list', async () => {
  const { drive, phone, list } = await begin();
  for (let i = 0; i < 50; i++) await change(drive, (await phone.post('text')).id, { type: 'TEXT_POST' });
  await phone.post('a video', { publishedAt: drive.clock.now - 60_000 });
  const first = await list();
  expect(first).toEqual({ posts: [], next: expect.stringMatching(/./) });
  expect((await list(first.next)).posts.map(({ text }) => text)).toEqual(['a video']);
});

test('a cursor counts if the page is full', async () => {
  const { drive, list } = await begin();
  const cursors = { before: 'a', after: 'b' };
  const answers = [
    { data: [{ id: '1' }], paging: { cursors } },
    { data: [], paging: { cursors, next: 'https://x' } },
  ];
  for (const body of answers) drive.faults.add({ when: isList, times: 1, fault: answering(200, body) });
  expect([(await list()).next, (await list()).next].sort()).toEqual(['', 'b']);
});

test('a post that Threads does not find (24) is gone', async () => {
  const { drive, phone, file } = await begin();
  const { id } = await phone.post('x');
  const body = { error: { code: 24, error_subcode: 4_279_009, message: 'Media Not Found' } };
  drive.faults.add({ when: isNode, times: 1, fault: answering(400, body) });
  expect(await file(id)).toEqual({ found: 'gone' });
});
